import { PlatformError } from '@lintel/errors';
import { needingReasons, recordedNames, recordedValues } from '@lintel/history';
import { DYNAMIC_VALUE_TABLE, type Model, rootOf } from '@lintel/metadata';
import type { Statement, Transaction } from '@lintel/persistence';
import { currentChangeReason, currentTraceId } from '@lintel/telemetry';
import type { ChangeRecord } from './change-log.ts';
import type { Writer } from './write-scope.ts';

/**
 * Wraps the transaction: before its first statement that may write to a recorded table, the triggers get to know who writes
 * (contract/history.md), and before the first one that writes values of dynamic attributes, which of them are recorded. A
 * statement may write if it is no query, and contains the name of the table. Nothing is added where no entity has a history.
 */
export function announceWriter(transaction: Transaction, model: Model, writer: Writer): Transaction {
  const names = recordedNames(model);
  if (names === undefined) return transaction;
  const values = recordedValues(model);
  let isAnnounced = false;
  let areValuesAnnounced = values === null;
  const announce = ({ text }: Statement): void => {
    if ((isAnnounced && areValuesAnnounced) || text.startsWith('SELECT')) return;
    const hasValues = !areValuesAnnounced && text.includes(DYNAMIC_VALUE_TABLE.name);
    if (!isAnnounced && (hasValues || names.test(text))) {
      isAnnounced = true;
      transaction.send(setting('history', JSON.stringify(contextOf(writer))));
    }
    if (!hasValues) return;
    areValuesAnnounced = true;
    transaction.send(setting('history_values', values));
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

/** Sets a setting of the transaction. The result has no columns. */
const setting = (name: string, value: string | null): Statement => ({
  name: `announce_${name}`,
  text: `SELECT FROM set_config('lintel.${name}', $1, true)`,
  values: [value],
});

const contextOf = ({ username, sessionId, clientId, actingService }: Writer) => ({
  username,
  sessionId,
  clientId,
  actingService,
  traceId: currentTraceId(),
  reason: currentChangeReason(),
});

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
