import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { isConcurrent, isRepeatable, runConcurrently } from './concurrent-indexes.ts';
import { failedStep, MigrationError } from './migration-error.ts';
import { forgetStatement, recordStatement } from './migration-records.ts';
import type { SchemaMigration } from './schema-migration.ts';

/** How long a migration may make others wait while it waits for a lock itself. */
export interface LockPatience {
  /** Maximum wait for one lock; other sessions that need the table wait for the same time. Default 2,000. */
  readonly lockTimeoutMs?: number;
  /** How often the whole migration is tried. Default 30, with pauses that grow to five seconds. */
  readonly lockAttempts?: number;
}

export const DEFAULT_LOCK_TIMEOUT_MS = 2_000;
const DEFAULT_LOCK_ATTEMPTS = 30;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export interface ApplyOptions extends LockPatience {
  /** Called when a lock could not be had and the migration will be tried again. */
  readonly onRetry?: (migration: string, attempt: number) => void;
}

type Direction = 'up' | 'down';

/**
 * Runs a whole migration and records it in the same transaction. One that creates indexes concurrently has no
 * transaction: instead, each of its statements can be repeated.
 *
 * @throws MigrationError naming migration and statement; a transaction is rolled back
 */
export async function applyMigration(
  client: Client,
  migration: SchemaMigration,
  options: ApplyOptions,
  direction: Direction = 'up',
): Promise<void> {
  assertRunnable(migration, migration[direction]);
  if (migration[direction].some(isConcurrent)) return applyOutside(client, migration, direction);
  const attempts = options.lockAttempts ?? DEFAULT_LOCK_ATTEMPTS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyInTransaction(client, migration, options, direction);
    } catch (error) {
      if (!(error instanceof MigrationError) || !isLockFailure(error.cause)) throw error;
      if (attempt >= attempts) throw givenUp(error, migration, direction, attempt);
      options.onRetry?.(migration.name, attempt);
      await sleep(Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS));
    }
  }
}

/** A lock was not to be had in time, or two transactions waited for each other. */
const isLockFailure = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && (cause.code === '55P03' || cause.code === '40P01');

function givenUp(error: MigrationError, migration: SchemaMigration, direction: Direction, attempts: number) {
  const statements = migration[direction];
  const position = error.position ?? 1;
  return failedStep(
    {
      migration: migration.name,
      position,
      count: statements.length,
      statement: statements[position - 1] ?? '',
      attempts,
    },
    error.cause,
  );
}

async function applyInTransaction(
  client: Client,
  migration: SchemaMigration,
  options: ApplyOptions,
  direction: Direction,
): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${options.lockTimeoutMs ?? DEFAULT_LOCK_TIMEOUT_MS}`);
    await eachStatement(migration, direction, (statement) => client.query(statement));
    await remember(client, migration, direction);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {}); // a lost connection rolls back by itself
    throw error;
  }
}

/** No lock timeout: building an index waits for transactions without blocking others. */
async function applyOutside(client: Client, migration: SchemaMigration, direction: Direction): Promise<void> {
  await client.query('SET lock_timeout = 0');
  await eachStatement(migration, direction, (statement) => runConcurrently(client, statement));
  await remember(client, migration, direction);
}

async function eachStatement(
  migration: SchemaMigration,
  direction: Direction,
  run: (statement: string) => Promise<unknown>,
): Promise<void> {
  const statements = migration[direction];
  for (const [index, statement] of statements.entries()) {
    try {
      await run(statement);
    } catch (error) {
      const keepsEarlier = isConcurrent(statement);
      const step = {
        migration: migration.name,
        position: index + 1,
        count: statements.length,
        statement,
        keepsEarlier,
      };
      throw failedStep(step, error);
    }
  }
}

async function remember(client: Client, migration: SchemaMigration, direction: Direction): Promise<void> {
  await client.query(direction === 'up' ? recordStatement(migration) : forgetStatement(migration));
}

/**
 * @throws MigrationError before any statement is run, if the migration could be applied only in part
 */
export function assertRunnable(migration: SchemaMigration, statements: readonly string[]): void {
  const control = statements.find((statement) =>
    /^\s*(begin|start\s+transaction|commit|end|rollback)\b/i.test(statement),
  );
  if (control !== undefined)
    throw new MigrationError(
      migration.name,
      `Migration ${migration.name} has "${control.trim()}": every migration is a transaction of its own already; leave it out.`,
    );
  if (!statements.some(isConcurrent)) return;
  const other = statements.find((statement) => !isConcurrent(statement) || !isRepeatable(statement));
  if (other !== undefined)
    throw new MigrationError(
      migration.name,
      `Migration ${migration.name} makes indexes concurrently, which no transaction allows; move "${other.trim()}" to a migration of its own.`,
    );
}
