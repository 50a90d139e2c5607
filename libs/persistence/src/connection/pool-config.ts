import type { Client, ClientBase, PoolConfig } from 'pg';
import {
  type DatabaseMemory,
  type DatabaseOptions,
  DEFAULT_MAX_RESULT_BYTES,
  DEFAULT_MAX_ROW_BYTES,
} from './database-options.ts';
import { guardedClient } from './guarded-client.ts';
import { TEXT_FIRST_TYPES } from './value-types.ts';

/** Longest wait for a free or new connection. */
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 60_000;
/** A transaction that nobody continues holds its locks no longer than this. */
const IDLE_IN_TRANSACTION_MS = 120_000;
const KEEP_ALIVE_DELAY_MS = 10_000;

/**
 * Session settings that answers depend on, so that no server configuration changes what clients see:
 * instants come in UTC and dates in ISO form. JIT is off because compiling costs more than it saves on
 * statements of a few milliseconds, which is what the platform runs.
 */
const SESSION_SETTINGS: readonly string[] = ['TimeZone=UTC', 'DateStyle=ISO,YMD', 'IntervalStyle=iso_8601', 'jit=off'];

/** The driver's configuration of a pool. */
export function poolConfigOf(
  options: DatabaseOptions,
  maxConnections: number,
): PoolConfig & { readonly Client: typeof Client } {
  const readOnly = options.readOnly ? ['default_transaction_read_only=on'] : [];
  const settings = [...SESSION_SETTINGS, ...readOnly, ...memorySettings(options.memory)];
  const fromUrl = new URL(options.url).searchParams.get('options');
  const url = new URL(options.url);
  // The driver lets the URL win over everything else; its own settings are put behind ours instead.
  url.searchParams.delete('options');
  return {
    connectionString: url.href,
    max: maxConnections,
    application_name: options.applicationName,
    statement_timeout: options.statementTimeoutMs,
    options: [...settings.map((setting) => `-c ${setting}`), ...(fromUrl === null ? [] : [fromUrl])].join(' '),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    types: TEXT_FIRST_TYPES,
    ...(options.memory !== undefined && options.memory.temporaryFileBytes > 0
      ? { onConnect: limitFiles(options.memory) }
      : {}),
    Client: guardedClient(
      {
        maxRowBytes: options.maxRowBytes ?? DEFAULT_MAX_ROW_BYTES,
        maxResultBytes: options.maxResultBytes ?? DEFAULT_MAX_RESULT_BYTES,
      },
      options.resultMemory,
    ),
  };
}

/** `work_mem` counts once for each sort and hash of a statement, of which the limits of requests allow so many. */
const memorySettings = (memory: DatabaseMemory | undefined): readonly string[] =>
  memory === undefined || memory.workBytes === 0 ? [] : [`work_mem=${kilobytes(memory.workBytes)}`];

/** In the unit and with the minimum of PostgreSQL's setting. */
const kilobytes = (bytes: number): string => `${Math.max(64, Math.ceil(bytes / 1_024))}kB`;

/** Not among the settings of the start of a session: a login that may not set it could not connect. */
const LIMIT_FILES = `SELECT set_config('temp_file_limit', $1, FALSE) FROM pg_roles WHERE rolname = current_user AND rolsuper`;

const limitFiles =
  ({ temporaryFileBytes }: DatabaseMemory) =>
  async (client: ClientBase): Promise<void> => {
    await client.query(LIMIT_FILES, [kilobytes(temporaryFileBytes)]);
  };
