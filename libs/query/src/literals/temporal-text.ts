import type { DatatypeType } from './literal-type.ts';

/**
 * The text of a date or a time in SQL. `to_char` returns null for what is infinite, and no era.
 *
 * @param text of a value within the years 1 to 9999
 */
export const temporalText = ({ unbounded }: Pick<DatatypeType, 'unbounded'>, column: string, text: string): string =>
  unbounded === true
    ? `COALESCE(${text} || CASE WHEN ${column} < '0001-01-01' THEN ' BC' ELSE '' END, ${column}::text)`
    : text;
