import type { Parameter, ParameterSource } from '../plan/parameter.ts';

/** Collects the parameters of a statement while its text is written. */
export class StatementText {
  readonly #sources: ParameterSource[] = [];
  readonly #places = new Map<Parameter, number>();
  #aliases = 0;

  /** `$1::bigint`: the place of a value, with its type. A parameter that is written twice has one place. */
  parameter(parameter: Parameter): string {
    let place = this.#places.get(parameter);
    if (place === undefined) {
      place = this.#sources.push(parameter.source);
      this.#places.set(parameter, place);
    }
    return `$${place}::${parameter.sqlType}`;
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
