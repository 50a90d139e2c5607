import { PlatformError } from '@lintel/errors';
import type { Database, Statement, Transaction } from '../database.ts';

export interface SplitDatabaseOptions {
  /** Has the tables of the platform: users, roles, events and so on. */
  readonly platform: Database;
  /** Has the tables of the application, and is only read. */
  readonly application: Database;
  /** Schemas of the tables of the application; none of them may be a schema of the platform. */
  readonly schemas: readonly string[];
}

/** Texts whose database is known; statements are prepared once for each shape of request, so there are few. */
const MAX_KNOWN_TEXTS = 10_000;

/**
 * Combines two databases to one: a statement that names a table of the application runs there, all others in the
 * database of the platform. Statements of the application in a transaction run outside of it, each by itself, since
 * they only read. A statement that needs tables of both fails.
 */
export function createSplitDatabase({ platform, application, schemas }: SplitDatabaseOptions): Database {
  const ofApplication = namesTableOf(schemas);
  const databaseOf = (statement: Statement): Database => (ofApplication(statement.text) ? application : platform);
  const wrap = (transaction: Transaction): Transaction => ({
    query: (statement, signal) =>
      ofApplication(statement.text) ? application.query(statement, signal) : transaction.query(statement, signal),
    send(statement) {
      if (ofApplication(statement.text))
        throw new PlatformError('REQ_METHOD_NOT_ALLOWED', 'The tables of the application can only be read');
      transaction.send(statement);
    },
    onCommitPosition: (listener) => transaction.onCommitPosition(listener),
    appendEvents: (events) => transaction.appendEvents(events),
  });
  return {
    query: (statement, signal) => databaseOf(statement).query(statement, signal),
    transaction: (work, signal) => platform.transaction((transaction) => work(wrap(transaction)), signal),
    stream: (statement, options) => databaseOf(statement).stream(statement, options),
    describe: (statement, signal) => databaseOf(statement).describe(statement, signal),
    listen: (channel, wake) => platform.listen(channel, wake),
    isReady: async () => (await Promise.all([platform.isReady(), application.isReady()])).every(Boolean),
    async assertReady() {
      await Promise.all([platform.assertReady(), application.assertReady()]);
    },
    metrics: () => platform.metrics(),
    async close() {
      await Promise.all([platform.close(), application.close()]);
    },
  };
}

/** Returns whether a statement names a table of the schemas, which the compiler writes as `"schema"."table"`. */
function namesTableOf(schemas: readonly string[]): (text: string) => boolean {
  if (schemas.length === 0) return () => false;
  const quoted = schemas.map((schema) => schema.replaceAll('"', '""').replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const pattern = new RegExp(`"(?:${quoted.join('|')})"\\."`);
  const known = new Map<string, boolean>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const names = pattern.test(text);
    if (known.size >= MAX_KNOWN_TEXTS) known.clear();
    known.set(text, names);
    return names;
  };
}
