import type { Client, ClientBase, PoolConfig } from 'pg';
import {
  type DatabaseMemory,
  type DatabaseOptions,
  DEFAULT_MAX_RESULT_BYTES,
  DEFAULT_MAX_ROW_BYTES,
} from './database-options.ts';
import { guardedClient } from './guarded-client.ts';
import { TEXT_FIRST_TYPES } from './value-types.ts';

/** Maximum wait for a free or new connection. */
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 60_000;
/** An abandoned transaction keeps its locks no longer than this. */
const IDLE_IN_TRANSACTION_MS = 120_000;
const KEEP_ALIVE_DELAY_MS = 10_000;

/**
 * Session settings that results depend on, so that no configuration of the server changes what clients receive:
 * instants are in UTC and dates in ISO format. JIT is off because its compilation takes longer than it saves:
 * statements of the platform take a few milliseconds.
 */
const SESSION_SETTINGS: readonly string[] = ['TimeZone=UTC', 'DateStyle=ISO,YMD', 'IntervalStyle=iso_8601', 'jit=off'];

/** Returns the driver's configuration of a pool. */
export function poolConfigOf(
  options: DatabaseOptions,
  maxConnections: number,
): PoolConfig & { readonly Client: typeof Client } {
  const readOnly = options.readOnly ? ['default_transaction_read_only=on'] : [];
  const settings = [...SESSION_SETTINGS, ...readOnly, ...memorySettings(options.memory)];
  const fromUrl = new URL(options.url).searchParams.get('options');
  const url = new URL(options.url);
  // For the driver the URL overrides everything else; `options` of the URL is appended to our settings instead.
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

/** `work_mem` applies to each sort and hash of a statement; the limits of requests bound their number. */
const memorySettings = (memory: DatabaseMemory | undefined): readonly string[] =>
  memory === undefined || memory.workBytes === 0 ? [] : [`work_mem=${kilobytes(memory.workBytes)}`];

/** In kilobytes, with the minimum of PostgreSQL's setting. */
const kilobytes = (bytes: number): string => `${Math.max(64, Math.ceil(bytes / 1_024))}kB`;

/** Not a start parameter of the session: a login without the right to set it could not connect. */
const LIMIT_FILES = `SELECT set_config('temp_file_limit', $1, FALSE) FROM pg_roles WHERE rolname = current_user AND rolsuper`;

const limitFiles =
  ({ temporaryFileBytes }: DatabaseMemory) =>
  async (client: ClientBase): Promise<void> => {
    await client.query(LIMIT_FILES, [kilobytes(temporaryFileBytes)]);
  };
