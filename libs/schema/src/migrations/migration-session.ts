import { setTimeout as sleep } from 'node:timers/promises';
import { isStartError, StartError } from '@lintel/errors';
import { createClient, translateDatabaseError } from '@lintel/persistence';
import type { Client } from 'pg';

/** An arbitrary number that no other program locks: the letters of "lintel". */
const LOCK_KEY = 0x6c69_6e74;
const POLL_MS = 200;

/**
 * No limit on statements, and the server looks every second whether its client still lives: the lock of a
 * process that was killed in a long statement is free at once. Only Linux can look.
 */
const SETTINGS = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
DO $$ BEGIN PERFORM set_config('client_connection_check_interval', '1s', false); EXCEPTION WHEN OTHERS THEN NULL; END $$`;

export interface SessionOptions {
  readonly url: string;
  /**
   * Whether only one process may migrate at a time; if false, the caller ensures that it is the only one. Default true.
   */
  readonly lock?: boolean;
  /** Called once when another process migrates, and this one waits for it. */
  readonly onWaiting?: () => void;
  /** Awaited when the session is there, before the lock is taken; if it rejects, nothing is run. */
  readonly until?: Promise<unknown>;
}

/**
 * Runs `work` in a transaction that reads, with the search path `pg_catalog`: definitions and types then name their
 * schema. A pooler may be in between.
 */
export async function withReadingSession<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  return connected(url, async (client) => {
    // One transaction with settings of its own: a pooler would give the settings of a session to other clients.
    await client.query('BEGIN READ ONLY; SET LOCAL search_path = pg_catalog');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  });
}

/**
 * Runs `work` while no other process migrates the same database. `work` gets the connection that owns the lock: if the
 * connection is lost, so is the lock.
 */
export async function withMigrationSession<T>(
  options: SessionOptions,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return connected(options.url, async (client) => {
    await assertSession(client);
    await client.query(SETTINGS);
    await options.until;
    if (options.lock ?? true) await takeLock(client, options.onWaiting);
    return work(client);
  });
}

/** A pooler in transaction mode would give settings and locks of this session to other clients. */
async function assertSession(client: Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  if (rows[0]?.pid === (client as { readonly processID?: number }).processID) return;
  throw new StartError(
    'Migrations need a session, and the URL leads to a pooler (such as PgBouncer): name PostgreSQL itself as svc.datasource.direct-url. With svc.datasource.migrate=false the data service does not migrate.',
  );
}

/**
 * Polls for the lock: a session that waits in a statement has a snapshot, and concurrent index builds wait for
 * snapshots.
 */
async function takeLock(client: Client, onWaiting: (() => void) | undefined): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK_KEY]);
    if (rows[0]?.taken === true) return;
    if (tries === 0) onWaiting?.();
    await sleep(POLL_MS);
  }
}

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = createClient(url, 'lintel-migrate');
  // A connection lost while waiting or working ends the statement in question with an error.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    if (isStartError(error)) throw error;
    throw translateDatabaseError(error);
  } finally {
    await client.end();
  }
}
