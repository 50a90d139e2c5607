/** The effect of a statement of TypeORM on its connection. */
export type StatementKind =
  /** Begins a transaction. */
  | 'begin'
  | 'commit'
  | 'rollback'
  /** Sets the isolation level of the transaction that has just begun. */
  | 'isolation'
  /** Only reads, according to its text. */
  | 'read'
  | 'write'
  /** Would have effects after the call, on a connection that others use, or end a transaction that is not TypeORM's. */
  | 'refused';

/** Comments and white space before the first word. */
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
 * Decides by the first words of a statement. `WITH` may write, so it counts as writing. A function called by a `SELECT`
 * may write as well, which is not detected here.
 */
export function statementKind(text: string): StatementKind {
  const own = text.replace(LEADING, '').replace(/[\s;]+$/, '');
  return EXACT.find(([pattern]) => pattern.test(own))?.[1] ?? 'write';
}
