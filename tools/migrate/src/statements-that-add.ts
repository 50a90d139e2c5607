const REMOVAL = /^(DROP (TABLE|INDEX)|ALTER TABLE \S+ DROP (COLUMN|CONSTRAINT))\b/;

/**
 * The statements that add or change something, without those that only remove what is no longer in the model: in the
 * release between two versions of a table the former one still exists.
 */
export const statementsThatAdd = (statements: readonly string[]): readonly string[] =>
  statements.filter((statement) => !REMOVAL.test(statement));
