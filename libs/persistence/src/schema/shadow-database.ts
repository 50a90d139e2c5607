import { randomUUID } from 'node:crypto';
import { quoteIdentifier } from '@lintel/metadata';
import { Client } from 'pg';
import { translateDatabaseError } from '../errors/translate-database-error.ts';

/**
 * Runs `work` with an empty database of its own on the server of `url`, and removes it afterwards. The
 * user needs the privilege `CREATEDB`.
 */
export async function withShadowDatabase<T>(url: string, work: (shadowUrl: string) => Promise<T>): Promise<T> {
  const name = `lintel_shadow_${randomUUID().replaceAll('-', '')}`;
  const shadowUrl = new URL(url);
  shadowUrl.pathname = `/${name}`;
  const client = new Client({ connectionString: url, application_name: 'lintel-migrate' });
  // A loss of this connection shows in the statement that follows.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`CREATE DATABASE ${quoteIdentifier(name)} TEMPLATE template0`);
  } catch (error) {
    await client.end();
    throw translateDatabaseError(error);
  }
  try {
    return await work(shadowUrl.href);
  } finally {
    await client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)} WITH (FORCE)`);
    await client.end();
  }
}
