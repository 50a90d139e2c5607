import { randomUUID } from 'node:crypto';
import { quoteIdentifier } from '@lintel/metadata';
import { createClient, translateDatabaseError, urlOfDatabase } from '@lintel/persistence';
import type { Client } from 'pg';

/** SQLSTATE. */
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Runs `work` with an empty database of its own on the server of `url`, and removes it afterwards. The
 * user needs the privilege `CREATEDB`.
 */
export async function withShadowDatabase<T>(url: string, work: (shadowUrl: string) => Promise<T>): Promise<T> {
  const name = `lintel_shadow_${randomUUID().replaceAll('-', '')}`;
  const shadowUrl = urlOfDatabase(url, name);
  const client = createClient(url, 'lintel-migrate');
  // If this connection is lost, the next statement fails.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`CREATE DATABASE ${quoteIdentifier(name)} TEMPLATE template0`);
  } catch (error) {
    await client.end();
    throw translateDatabaseError(error);
  }
  try {
    return await work(shadowUrl);
  } finally {
    await dropDatabase(client, name);
    await client.end();
  }
}

/**
 * With `FORCE` PostgreSQL refuses a user without the rights of a superuser while autovacuum works in the database;
 * without it, it ends autovacuum itself, and waits five seconds for other connections.
 */
async function dropDatabase(client: Client, name: string): Promise<void> {
  const drop = `DROP DATABASE IF EXISTS ${quoteIdentifier(name)}`;
  try {
    await client.query(`${drop} WITH (FORCE)`);
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    await client.query(drop);
  }
}
