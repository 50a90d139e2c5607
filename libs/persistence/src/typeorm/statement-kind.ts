/** What a statement of TypeORM means for the connection it runs on. */
export type StatementKind =
  /** Begins a transaction. */
  | 'begin'
  | 'commit'
  | 'rollback'
  /** Sets the isolation level of the transaction that has just begun. */
  | 'isolation'
  /** Reads only, as far as the text shows. */
  | 'read'
  | 'write'
  /** Would outlive the call on a connection that others use next, or end a transaction that is not TypeORM's. */
  | 'refused';

/** Comments and blanks before the first word. */
const LEADING = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/;

const EXACT: readonly (readonly [RegExp, StatementKind])[] = [
  [/^START TRANSACTION$/i, 'begin'],
  [/^COMMIT$/i, 'commit'],
  [/^ROLLBACK$/i, 'rollback'],
  [/^SET TRANSACTION ISOLATION LEVEL /i, 'isolation'],
  [/^SET LOCAL /i, 'write'],
  [/^ROLLBACK TO /i, 'write'],
  [
    /^(?:START|BEGIN|COMMIT|END|ROLLBACK|ABORT|PREPARE|EXECUTE|DEALLOCATE|SET|RESET|DISCARD|LISTEN|UNLISTEN|COPY|DECLARE)\b/i,
    'refused',
  ],
  [/^SELECT\b/i, 'read'],
];

/**
 * Decides by the first words of a statement. `WITH` may write, so it counts as writing; a function that a `SELECT`
 * calls may write as well, which cannot be seen here.
 */
export function statementKind(text: string): StatementKind {
  const own = text.replace(LEADING, '').replace(/[\s;]+$/, '');
  return EXACT.find(([pattern]) => pattern.test(own))?.[1] ?? 'write';
}
