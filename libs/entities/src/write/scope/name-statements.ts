import { hash } from 'node:crypto';
import type { Statement, Transaction } from '@lintel/persistence';

/** Texts depend on the model and on which attributes change together; more than this are not worth a name. */
const MAX_TEXTS = 1_000;

/** How often each text was run, up to the second time. */
const SEEN = new Map<string, string | undefined>();

/** A text that comes a second time gets a name: connections keep it prepared from then on. */
function nameOf(text: string): string | undefined {
  if (SEEN.has(text)) {
    const name = SEEN.get(text) ?? `write_${hash('sha256', text, 'base64url').slice(0, 20)}`;
    SEEN.set(text, name);
    return name;
  }
  if (SEEN.size < MAX_TEXTS) SEEN.set(text, undefined);
  return undefined;
}

function named(statement: Statement): Statement {
  const name = statement.name ?? nameOf(statement.text);
  return name === undefined ? statement : { ...statement, name };
}

/** The transaction with names for the statements that come again (prepared statements save time there). */
export const nameStatements = (transaction: Transaction): Transaction => ({
  query: <R extends object = Record<string, unknown>>(statement: Statement, signal?: AbortSignal) =>
    transaction.query<R>(named(statement), signal),
  send: (statement) => transaction.send(named(statement)),
  onCommitPosition: (listener) => transaction.onCommitPosition(listener),
  appendEvents: (events) => transaction.appendEvents(events),
});
