/** Statements that lose something for good, and how to say it. */
const LOSSES: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/^DROP TABLE (?:IF EXISTS )?(\S+)/i, ([, table]) => `${table} is dropped with its rows`],
  [/^TRUNCATE (?:TABLE )?(\S+)/i, ([, table]) => `the rows of ${table} are removed`],
  [/^DELETE FROM (\S+)/i, ([, table]) => `rows of ${table} are removed`],
  [/^DROP SCHEMA (?:IF EXISTS )?(\S+) CASCADE/i, ([, schema]) => `schema ${schema} is dropped with all its tables`],
  [
    /^ALTER TABLE (\S+) DROP COLUMN (?:IF EXISTS )?("[^"]+"|\w+)/i,
    ([, table, column]) => `column ${column} of ${table} is dropped with its values`,
  ],
  [
    /^ALTER TABLE (\S+) ALTER (?:COLUMN )?("[^"]+"|\w+) (?:SET DATA )?TYPE (.+? USING|(?:numeric|time|timestamp)\b.*)/is,
    ([, table, column]) => `values of column ${column} of ${table} are cast, which may round them or cut them off`,
  ],
];

/** One sentence for each statement that loses data, whatever the tables hold. Pure. */
export const dataLossesOf = (statements: readonly string[]): readonly string[] =>
  statements.flatMap((statement) =>
    LOSSES.flatMap(([pattern, say]) => {
      const match = pattern.exec(statement.trim());
      return match === null ? [] : [say(match)];
    }),
  );
