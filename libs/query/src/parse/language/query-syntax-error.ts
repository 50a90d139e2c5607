/** A text of the entity query language that cannot be read. Line and column count from 1. */
export class QuerySyntaxError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(reason: string, line: number, column: number) {
    super(`${reason} (line ${line}, column ${column})`);
    this.name = 'QuerySyntaxError';
    this.line = line;
    this.column = column;
  }
}
