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

/** Makes an empty database, on the server of the test run unless another is named. */
export async function createTestDatabase(
  prefix = 'test',
  serverUrl = testEnvironment('LINTEL_TEST_POSTGRES_URL'),
): Promise<TestDatabase> {
  const name = uniqueName(prefix);
  // template0 cannot be in use, so suites that start together do not collide.
  await withConnection(serverUrl, (run) => copyDatabase(run, 'template0', name));
  return testDatabase(serverUrl, name);
}

/** PostgreSQL 15 is the first that has a choice, and by default writes the copy to its log as well. */
const FIRST_WITH_STRATEGIES = 150_000;

/** Makes a database with the content of another one: files are copied, which takes half of the processor time. */
export async function copyDatabase(run: RunStatement, source: string, name: string): Promise<void> {
  const [server] = await run<{ version: number }>(`SELECT current_setting('server_version_num')::int AS version`);
  const strategy = (server?.version ?? 0) >= FIRST_WITH_STRATEGIES ? ' STRATEGY file_copy' : '';
  await run(`CREATE DATABASE "${name}" TEMPLATE "${source}"${strategy}`);
}

export function testDatabase(serverUrl: string, name: string): TestDatabase {
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

/** Runs statements one after the other. */
export type RunStatement = <R extends object>(text: string, values?: readonly unknown[]) => Promise<R[]>;

/** Runs a statement on a connection of its own. */
export const runOnce = <R extends object>(url: string, text: string, values: readonly unknown[] = []): Promise<R[]> =>
  withConnection(url, (run) => run<R>(text, values));

/** Opens a connection for the statements of `work`. */
export async function withConnection<T>(url: string, work: (run: RunStatement) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(async <R extends object>(text: string, values: readonly unknown[] = []) => {
      const { rows } = await client.query<R>(text, [...values]);
      return rows;
    });
  } finally {
    await client.end();
  }
}

/** Begins a transaction with a statement and leaves it open, as a client that hangs. */
export async function holdTransaction(url: string, text: string): Promise<{ release(): Promise<void> }> {
  const client = new Client({ connectionString: url });
  // A restart of the server ends the transaction as well.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN');
  await client.query(text);
  return { release: () => client.end() };
}
