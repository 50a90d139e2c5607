/** Those of a page keep their values: these say how many rows are read, not which. */
const PARAMETER = /(?<!(?:LIMIT|OFFSET) )\$\d+/g;

/**
 * A statement that the planner cannot compare with its statistics of values: it sees each parameter as a sub-select,
 * whose result it does not know. `EXPLAIN (GENERIC_PLAN)` would do the same, but PostgreSQL 15 does not have it.
 *
 * @param text of a compiled statement, in which each parameter has a cast
 */
export const withUnknownValues = (text: string): string =>
  text.replace(PARAMETER, (parameter) => `(SELECT ${parameter})`);
