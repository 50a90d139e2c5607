import { Client } from 'pg';
import { testEnvironment } from './test-environment.ts';
import { uniqueName } from './unique-name.ts';

/** A database of its own for one suite. */
export interface TestDatabase {
  readonly name: string;
  /** Connection string of the owner, a superuser. */
  readonly url: string;
  /** Runs statements outside the code under test. */
  query<R extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** Removes the database, open connections included. */
  drop(): Promise<void>;
}

/** Makes an empty database on the server of the test run. */
export async function createTestDatabase(prefix = 'test'): Promise<TestDatabase> {
  const serverUrl = testEnvironment('LINTEL_TEST_POSTGRES_URL');
  const name = uniqueName(prefix);
  // template0 cannot be in use, so suites that start together do not collide.
  await runOnce(serverUrl, `CREATE DATABASE "${name}" TEMPLATE template0`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    query: (text, values) => runOnce(url.href, text, values),
    drop: async () => {
      await runOnce(serverUrl, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    },
  };
}

/** Runs a statement on a connection of its own. */
export async function runOnce<R extends object>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query<R>(text, [...values]);
    return result.rows;
  } finally {
    await client.end();
  }
}

/** Begins a transaction with a statement and leaves it open, as a client that hangs. */
export async function holdTransaction(url: string, text: string): Promise<{ release(): Promise<void> }> {
  const client = new Client({ connectionString: url });
  // Whoever restarts the server ends the transaction as well.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN');
  await client.query(text);
  return { release: () => client.end() };
}
