import type { Parameter, ParameterSource } from '../plan/parameter.ts';

/** Collects the parameters of a statement while its text is written. */
export class StatementText {
  readonly #sources: ParameterSource[] = [];
  #aliases = 0;

  /** `$1::bigint`: the place of a value, with its type. */
  parameter({ source, sqlType }: Parameter): string {
    this.#sources.push(source);
    return `$${this.#sources.length}::${sqlType}`;
  }

  /** An alias that no table has. */
  alias(): string {
    this.#aliases += 1;
    return `j${this.#aliases}`;
  }

  /** Where the values come from, in the order of their places. */
  sources(): readonly ParameterSource[] {
    return Object.freeze([...this.#sources]);
  }
}

/** A constant of the model (names of entities, enum constants, texts of instance names) as SQL text. */
export const quoteConstant = (text: string): string => `'${text.replaceAll("'", "''")}'`;
