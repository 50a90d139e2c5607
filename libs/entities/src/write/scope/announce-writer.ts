import { PlatformError } from '@lintel/errors';
import { needingReasons, recordedNames, recordedValues } from '@lintel/history';
import { DYNAMIC_VALUE_TABLE, type Model, rootOf } from '@lintel/metadata';
import type { Statement, Transaction } from '@lintel/persistence';
import { currentChangeReason, currentTraceId } from '@lintel/telemetry';
import type { ChangeRecord } from './change-log.ts';
import type { Writer } from './write-scope.ts';

/** Whether a statement may write to a recorded table: it is no query, and contains the name of one. */
const mayWrite = ({ text }: Statement, names: RegExp, values: string | null): boolean =>
  !text.startsWith('SELECT') && (names.test(text) || (values !== null && text.includes(DYNAMIC_VALUE_TABLE.name)));

/**
 * Wraps the transaction: before its first statement that may write to a recorded table, the triggers get to know who writes
 * (contract/history.md). Nothing is added where no entity has a history.
 */
export function announceWriter(transaction: Transaction, model: Model, writer: Writer): Transaction {
  const names = recordedNames(model);
  if (names === undefined) return transaction;
  const values = recordedValues(model);
  let isAnnounced = false;
  const announce = (statement: Statement): void => {
    if (isAnnounced || !mayWrite(statement, names, values)) return;
    isAnnounced = true;
    transaction.send(statementFor(writer, values));
  };
  return {
    query: <R extends object = Record<string, unknown>>(statement: Statement, signal?: AbortSignal) => {
      announce(statement);
      return transaction.query<R>(statement, signal);
    },
    send(statement) {
      announce(statement);
      transaction.send(statement);
    },
    onCommitPosition: (listener) => transaction.onCommitPosition(listener),
    appendEvents: (events) => transaction.appendEvents(events),
  };
}

function statementFor({ username, sessionId, clientId, actingService }: Writer, recorded: string | null): Statement {
  const traceId = currentTraceId();
  const context = { username, sessionId, clientId, actingService, traceId, reason: currentChangeReason() };
  // The results have no columns.
  const text = `SELECT FROM set_config('lintel.history', $1, true)`;
  const values = [JSON.stringify(context)];
  if (recorded === null) return { name: 'announce_writer', text, values };
  return { text: `${text} CROSS JOIN set_config('lintel.history_values', $2, true) v`, values: [...values, recorded] };
}

/**
 * Changes of entities whose history has reasons need one.
 *
 * @throws PlatformError REQ_REASON_REQUIRED
 */
export function assertReason(model: Model, changes: readonly ChangeRecord[]): void {
  const roots = needingReasons(model);
  if (roots.size === 0 || currentChangeReason() !== undefined) return;
  const needing = changes.find(({ entity }) => roots.has(rootOf(model, entity).name));
  if (needing === undefined) return;
  throw new PlatformError(
    'REQ_REASON_REQUIRED',
    `Header 'X-Change-Reason' is required: changes of ${needing.entity.name} have a reason`,
  );
}
