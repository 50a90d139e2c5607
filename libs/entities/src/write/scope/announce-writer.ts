import { PlatformError } from '@lintel/errors';
import { needingReasons, recordedNames } from '@lintel/history';
import { type Model, rootOf } from '@lintel/metadata';
import type { Statement, Transaction } from '@lintel/persistence';
import { currentChangeReason, currentTraceId } from '@lintel/telemetry';
import type { ChangeRecord } from './change-log.ts';
import type { Writer } from './write-scope.ts';

/** Whether a statement may write to a recorded table: it is no query, and contains the name of one. */
const mayWrite = ({ text }: Statement, names: RegExp): boolean => !text.startsWith('SELECT') && names.test(text);

/**
 * Wraps the transaction: before its first statement that may write to a recorded table, the triggers get to know who writes
 * (contract/history.md). Nothing is added where no entity has a history.
 */
export function announceWriter(transaction: Transaction, model: Model, writer: Writer): Transaction {
  const names = recordedNames(model);
  if (names === undefined) return transaction;
  let isAnnounced = false;
  const announce = (statement: Statement): void => {
    if (isAnnounced || !mayWrite(statement, names)) return;
    isAnnounced = true;
    transaction.send(statementFor(writer));
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

function statementFor({ username, sessionId, clientId, actingService }: Writer): Statement {
  const traceId = currentTraceId();
  const context = { username, sessionId, clientId, actingService, traceId, reason: currentChangeReason() };
  return {
    name: 'announce_writer',
    text: `SELECT set_config('lintel.history', $1, true)`,
    values: [JSON.stringify(context)],
  };
}

/**
 * Changes of entities whose history has reasons need one.
 *
 * @throws PlatformError REQ_INVALID_PARAMETER
 */
export function assertReason(model: Model, changes: readonly ChangeRecord[]): void {
  const roots = needingReasons(model);
  if (roots.size === 0 || currentChangeReason() !== undefined) return;
  const needing = changes.find(({ entity }) => roots.has(rootOf(model, entity).name));
  if (needing === undefined) return;
  throw new PlatformError(
    'REQ_INVALID_PARAMETER',
    `Header 'X-Change-Reason' is required: changes of ${needing.entity.name} have a reason`,
  );
}
