import type { Table } from '@lintel/metadata';
import type { Parameter, ParameterSource } from '../plan/parameter.ts';
import type { SqlCondition } from '../plan/read-plan.ts';

/** Limits of the collections in one row of the result. */
export interface ResultBounds {
  /** Greatest number of members of a collection. */
  readonly collectionRows: number;
  /** Maximum size of a collection's JSON; checked if the size of its members is unlimited. */
  readonly collectionBytes: number;
}

/** The SQL that is read instead of a table; undefined for the table itself. */
export type TableInSql = (table: Table) => string | undefined;

/** Collects the parameters of a statement while its text is written. */
export class StatementText {
  /** Without them nothing is checked. */
  readonly bounds: ResultBounds | undefined;
  /** What is read instead of a table. */
  readonly tableInSql: TableInSql | undefined;
  /** The test of a branch by whose keys rows are read. */
  branch: SqlCondition | undefined;
  readonly #parameters: Parameter[] = [];
  readonly #indexes = new Map<Parameter, number>();
  #aliases = 0;
  #negations = 0;
  #subqueries = 0;

  constructor(bounds?: ResultBounds, tableInSql?: TableInSql) {
    this.bounds = bounds;
    this.tableInSql = tableInSql;
  }

  /** `$1::bigint`: the number of a value, with its type. A parameter that is written twice has one number. */
  parameter(parameter: Parameter): string {
    let index = this.#indexes.get(parameter);
    if (index === undefined) {
      index = this.#parameters.push(parameter);
      this.#indexes.set(parameter, index);
    }
    return `$${index}::${parameter.sqlType}`;
  }

  /** Writes what is negated: there, false and undecided are not the same. */
  negated(write: () => string): string {
    this.#negations += 1;
    const text = `NOT (${write()})`;
    this.#negations -= 1;
    return text;
  }

  get isNegated(): boolean {
    return this.#negations > 0;
  }

  /** Writes a subquery that may be evaluated for each row. */
  inSubquery(write: () => string): string {
    this.#subqueries += 1;
    const text = write();
    this.#subqueries -= 1;
    return text;
  }

  get isInSubquery(): boolean {
    return this.#subqueries > 0;
  }

  /** An alias that no table has. */
  alias(): string {
    this.#aliases += 1;
    return `j${this.#aliases}`;
  }

  /** Where the values come from, in the order of their numbers. */
  sources(): readonly ParameterSource[] {
    return Object.freeze(this.#parameters.map(({ source }) => source));
  }

  /** The PostgreSQL types of the values, in the order of their numbers. */
  types(): readonly string[] {
    return this.#parameters.map(({ sqlType }) => sqlType);
  }
}

/** A constant of the model (names of entities, enum constants, texts of instance names) as SQL text. */
export const quoteConstant = (text: string): string => `'${text.replaceAll("'", "''")}'`;
