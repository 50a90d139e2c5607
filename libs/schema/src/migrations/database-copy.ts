import { quoteIdentifier } from '@lintel/metadata';
import { createClient, translateDatabaseError, urlOfDatabase } from '@lintel/persistence';
import type { Client } from 'pg';
import { withReadingSession } from './migration-session.ts';

/** SQLSTATE of a database to which others are connected. */
const OBJECT_IN_USE = '55006';
/** PostgreSQL cuts longer names off. */
const MAX_LENGTH = 63;
const SUFFIX = '_before_migration';
/** The end of the name of the latest copy, as long as no migration has run since. */
const LATEST = '_before_next';

/** `in use`: others are connected to the database, so nothing was changed. */
export type CopyOutcome = 'done' | 'in use' | 'no copy';

/** Copies a database on its server. The copy replaces an earlier one when a migration has run. */
export const copyDatabase = (url: string): Promise<CopyOutcome> =>
  withServer(url, async (client, { name, latest }, position) => {
    await client.query(`CREATE DATABASE ${latest} TEMPLATE ${name}`);
    await client.query(`COMMENT ON DATABASE ${latest} IS '${position}'`);
    return 'done';
  });

/** Replaces a database by its copy, which then no longer exists. */
export const restoreDatabase = (url: string): Promise<CopyOutcome> =>
  withServer(url, async (client, { name, copy }) => {
    if ((await commentOf(client, copy)) === undefined) return 'no copy';
    await client.query(`DROP DATABASE ${name}`);
    await client.query(`ALTER DATABASE ${copy} RENAME TO ${name}`);
    return 'done';
  });

/** Names in SQL. */
interface Names {
  readonly name: string;
  readonly copy: string;
  readonly latest: string;
}

async function withServer(
  url: string,
  work: (client: Client, names: Names, position: string) => Promise<CopyOutcome>,
): Promise<CopyOutcome> {
  const client = createClient(urlOfDatabase(url, 'postgres'), 'lintel-migrate');
  // If this connection is lost, the next statement fails.
  client.on('error', () => {});
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  const named = (suffix: string): string => quoteIdentifier(`${name.slice(0, MAX_LENGTH - suffix.length)}${suffix}`);
  const names = { name: quoteIdentifier(name), copy: named(SUFFIX), latest: named(LATEST) };
  try {
    const position = await positionOf(url);
    await client.connect();
    await settle(client, names, position);
    return await work(client, names, position);
  } catch (error) {
    if ((error as { code?: string }).code === OBJECT_IN_USE) return 'in use';
    throw translateDatabaseError(error);
  } finally {
    await client.end();
  }
}

/** A copy before a migration that failed is worth nothing: the earlier one stays. */
async function settle(client: Client, { copy, latest }: Names, position: string): Promise<void> {
  const copied = await commentOf(client, latest);
  if (copied === undefined) return;
  if (copied === position) return void (await client.query(`DROP DATABASE ${latest}`));
  await client.query(`DROP DATABASE IF EXISTS ${copy}`);
  await client.query(`ALTER DATABASE ${latest} RENAME TO ${copy}`);
}

/** The comment of a database; undefined if it does not exist. */
async function commentOf(client: Client, name: string): Promise<string | null | undefined> {
  const { rows } = await client.query<{ comment: string | null }>(
    `SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE '"' || replace(datname, '"', '""') || '"' = $1`,
    [name],
  );
  return rows[0]?.comment;
}

/** The number of the latest migration that has run; also one that was reverted has one. */
const positionOf = (url: string): Promise<string> =>
  withReadingSession(url, async (client) => {
    const { rows } = await client.query<{ position: string }>(
      `SELECT last_value::text AS position FROM pg_sequences WHERE schemaname = 'lintel' AND sequencename = 'migration_id_seq'`,
    );
    return rows[0]?.position ?? '';
  });
