import type { DriftFinding } from '../drift/compare-catalogues.ts';
import { formOf } from '../migrations/revert/keeps-values.ts';

/** Statements that change a schema and those that undo them, each in the order to be run. */
export interface SchemaChange {
  readonly up: readonly string[];
  readonly down: readonly string[];
  /** The statements of `up` that lose data. */
  readonly losses?: readonly string[];
}

/** Another name of a column. */
export interface ColumnRename {
  /** `schema.table`. */
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

/** Another name of a table: `schema.table`, as is the new one. */
export interface TableRename {
  readonly table: string;
  readonly to: string;
}

export type Rename = ColumnRename | TableRename;

/** Whether a column gets another name, not a table. */
export const isOfColumn = (rename: Rename): rename is ColumnRename => 'from' in rename;

/** The changes that make a database fit a model. */
export interface SchemaDifference extends SchemaChange {
  /** Precedes the other changes: makes the tables that the application takes over as they are. */
  readonly taken: SchemaChange;
  /** Partitioned tables, in SQL: their indexes cannot be made concurrently. */
  readonly partitioned: readonly string[];
  readonly losses: readonly string[];
  /** A removed and an added table, or such columns of one table, of which the second can be the first with another name. */
  readonly possibleRenames: readonly Rename[];
  /** One sentence for each statement that loses data or may fail on existing rows. */
  readonly warnings: readonly string[];
  /** What was written by hand and stays. */
  readonly kept: readonly DriftFinding[];
  /** Tables of other owners that no step makes, though the application has taken over others: an empty database lacks them. */
  readonly notMade: readonly string[];
}

/** One after the other: `second` is undone before `first`. */
export const joinChanges = (first: SchemaChange, second: SchemaChange): SchemaChange => ({
  up: [...first.up, ...second.up],
  down: [...second.down, ...first.down],
  losses: [...(first.losses ?? []), ...(second.losses ?? [])],
});

const HAZARDS: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [formOf('^DROP TABLE @'), ([, table]) => `${table} is dropped with its rows`],
  [
    formOf('^ALTER TABLE @ DROP COLUMN @'),
    ([, table, column]) => `column ${column} of ${table} is dropped with its values`,
  ],
  [
    formOf('^ALTER TABLE @ RENAME COLUMN @ TO @'),
    ([, table, from, to]) =>
      `column ${from} of ${table} becomes ${to}: the former version of the application does not work with the result`,
  ],
  [
    formOf('^ALTER TABLE @ (?:RENAME TO|SET SCHEMA) @'),
    ([, table, to]) =>
      `table ${table} becomes ${to}: the former version of the application does not work with the result`,
  ],
  [
    formOf(String.raw`^ALTER TABLE @ ADD @ (?!.*\bDEFAULT\b).*\bNOT NULL\b`),
    ([, table, column]) =>
      `column ${column} of ${table} is mandatory: the step fails where there are rows. Give the attribute a default(…), remove the step from the migrations and generate it again, or fill the column in it`,
  ],
  [
    formOf('^ALTER TABLE @ ALTER COLUMN @ SET NOT NULL'),
    ([, table, column]) => `column ${column} of ${table} becomes mandatory: the step fails where it is empty`,
  ],
  [
    formOf('^ALTER TABLE @ ALTER COLUMN @ TYPE (.+)$'),
    ([, table, column, type]) =>
      `column ${column} of ${table} becomes ${type}: the step fails where a value does not fit`,
  ],
  [
    formOf('^ALTER TABLE @ ADD CONSTRAINT @ EXCLUDE '),
    ([, table, name]) =>
      `${table} gets the exclusion ${name}: the step fails where rows exclude each other, and blocks writes while they are compared`,
  ],
  [
    formOf('^ALTER TABLE @ VALIDATE CONSTRAINT @'),
    ([, table, name]) => `${table} gets the check ${name}: its validation fails where a row does not satisfy it`,
  ],
  [
    formOf('^CREATE UNIQUE INDEX @ ON @'),
    ([, index, table]) => `${table} gets the unique index ${index}: the step fails where values repeat`,
  ],
  [
    formOf("^UPDATE @ SET @ = ('.*') WHERE @ = ('.*')$"),
    ([, table, , to, , from]) => `rows of ${table} that are ${from} become ${to}: a misspelt former name changes none`,
  ],
];

/** The sentences about statements that need a human eye. `created` are tables that start empty. */
export function warningsOf(statements: readonly string[], created: ReadonlySet<string>): readonly string[] {
  return statements.flatMap((statement) =>
    HAZARDS.flatMap(([pattern, say]) => {
      const match = pattern.exec(statement);
      return match === null || match.slice(1).some((part) => created.has(part)) ? [] : [say(match)];
    }),
  );
}

const CREATED = formOf('^CREATE TABLE @');

/** Names of the tables that the statements create, as written there. */
export const createdTables = (statements: readonly string[]): ReadonlySet<string> =>
  new Set(statements.flatMap((statement) => CREATED.exec(statement)?.[1] ?? []));
