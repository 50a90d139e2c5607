import { quoteIdentifier } from '@lintel/metadata';
import { createClient, translateDatabaseError, urlOfDatabase } from '@lintel/persistence';
import type { Client } from 'pg';

/** SQLSTATE of a database to which others are connected. */
const OBJECT_IN_USE = '55006';
/** PostgreSQL cuts longer names off. */
const MAX_LENGTH = 63;
const SUFFIX = '_before_migration';

/** `in use`: others are connected to the database, so nothing was changed. */
export type CopyOutcome = 'done' | 'in use' | 'no copy';

/** Copies a database on its server; replaces an earlier copy. */
export const copyDatabase = (url: string): Promise<CopyOutcome> =>
  withServer(url, async (client, name, copy) => {
    await client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(copy)}`);
    await client.query(`CREATE DATABASE ${quoteIdentifier(copy)} TEMPLATE ${quoteIdentifier(name)}`);
    return 'done';
  });

/** Replaces a database by its copy, which then no longer exists. */
export const restoreDatabase = (url: string): Promise<CopyOutcome> =>
  withServer(url, async (client, name, copy) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [copy]);
    if (rowCount === 0) return 'no copy';
    await client.query(`DROP DATABASE ${quoteIdentifier(name)}`);
    await client.query(`ALTER DATABASE ${quoteIdentifier(copy)} RENAME TO ${quoteIdentifier(name)}`);
    return 'done';
  });

async function withServer(
  url: string,
  work: (client: Client, name: string, copy: string) => Promise<CopyOutcome>,
): Promise<CopyOutcome> {
  const client = createClient(urlOfDatabase(url, 'postgres'), 'lintel-migrate');
  // If this connection is lost, the next statement fails.
  client.on('error', () => {});
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  try {
    await client.connect();
    return await work(client, name, `${name.slice(0, MAX_LENGTH - SUFFIX.length)}${SUFFIX}`);
  } catch (error) {
    if ((error as { code?: string }).code === OBJECT_IN_USE) return 'in use';
    throw translateDatabaseError(error);
  } finally {
    await client.end();
  }
}
