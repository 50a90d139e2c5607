const REMOVAL = /^(DROP (TABLE|INDEX)|ALTER TABLE \S+ DROP (COLUMN|CONSTRAINT))\b/;

/**
 * The statements that add or change something, without those that only remove what a model has no longer: in
 * the release between two shapes of a table the former one is still there.
 */
export const statementsThatAdd = (statements: readonly string[]): readonly string[] =>
  statements.filter((statement) => !REMOVAL.test(statement));
