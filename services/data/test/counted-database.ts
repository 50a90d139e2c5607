import type { Database, Statement, Transaction } from '@lintel/persistence';

/** A database that records the texts of the statements of transactions, and of all others, the latest last. */
export function countedDatabase(database: Database): {
  readonly database: Database;
  readonly texts: string[];
  readonly others: string[];
} {
  const texts: string[] = [];
  const others: string[] = [];
  const counted = (transaction: Transaction): Transaction => ({
    query: <R extends object>(statement: Statement, signal?: AbortSignal) => {
      texts.push(statement.text);
      return transaction.query<R>(statement, signal);
    },
    send(statement) {
      texts.push(statement.text);
      transaction.send(statement);
    },
    onCommitPosition: (listener) => transaction.onCommitPosition(listener),
    appendEvents(events) {
      texts.push(`events: ${events.length}`);
      return transaction.appendEvents(events);
    },
  });
  return {
    texts,
    others,
    database: {
      query: (statement, signal) => {
        others.push(statement.text);
        return database.query(statement, signal);
      },
      transaction: (work, signal) => database.transaction((transaction) => work(counted(transaction)), signal),
      stream: (statement, options) => database.stream(statement, options),
      describe: (statement, signal) => database.describe(statement, signal),
      listen: (channel, wake) => database.listen(channel, wake),
      isReady: () => database.isReady(),
      assertReady: () => database.assertReady(),
      metrics: () => database.metrics(),
      close: () => database.close(),
    },
  };
}
