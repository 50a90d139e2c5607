/**
 * SQL text of a `timestamp with time zone` as it is in JSON: ISO 8601 in UTC, with milliseconds.
 *
 * @param column the column, as it is written in SQL; never a value of a request
 */
export const utcText = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
