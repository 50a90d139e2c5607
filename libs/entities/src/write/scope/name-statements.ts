import type { Statement, Transaction } from '@lintel/persistence';
import type { StatementNames } from '../model/statement-names.ts';

/** The transaction with names for the statements that are run repeatedly. */
export function nameStatements(transaction: Transaction, names: StatementNames): Transaction {
  const named = (statement: Statement): Statement => {
    const name = statement.name ?? names.nameOf(statement.text);
    return name === undefined ? statement : { ...statement, name };
  };
  return {
    query: <R extends object = Record<string, unknown>>(statement: Statement, signal?: AbortSignal) =>
      transaction.query<R>(named(statement), signal),
    send: (statement) => transaction.send(named(statement)),
    onCommitPosition: (listener) => transaction.onCommitPosition(listener),
    appendEvents: (events) => transaction.appendEvents(events),
  };
}
