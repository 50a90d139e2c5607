import type { Client, ClientBase, PoolConfig } from 'pg';
import { readDatabaseUrl } from '../../address/database-address.ts';
import { addressedClient } from '../../address/database-client.ts';
import {
  type DatabaseMemory,
  type DatabaseOptions,
  DEFAULT_MAX_RESULT_BYTES,
  DEFAULT_MAX_ROW_BYTES,
} from '../database-options.ts';
import { guardedClient } from '../results/guarded-client.ts';
import { TEXT_FIRST_TYPES } from '../results/value-types.ts';
import { kilobytes, startParametersOf } from './session-settings.ts';

/** Maximum wait for a free or new connection. */
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_DELAY_MS = 10_000;

/** Returns the driver's configuration of a pool. */
export function poolConfigOf(
  options: DatabaseOptions,
  maxConnections: number,
): PoolConfig & { readonly Client: typeof Client } {
  const address = readDatabaseUrl(options.url);
  const isPooled = options.pooler === 'transaction';
  const Guarded = guardedClient(
    {
      maxRowBytes: options.maxRowBytes ?? DEFAULT_MAX_ROW_BYTES,
      maxResultBytes: options.maxResultBytes ?? DEFAULT_MAX_RESULT_BYTES,
    },
    options.resultMemory,
  );
  return {
    // For the driver the URL overrides everything else.
    connectionString: address.servers[0] as string,
    max: maxConnections,
    application_name: options.applicationName,
    ...(isPooled ? {} : startParametersOf(options, address.sessionOptions)),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    types: TEXT_FIRST_TYPES,
    ...(!isPooled && options.memory !== undefined && options.memory.temporaryFileBytes > 0
      ? { onConnect: limitFiles(options.memory) }
      : {}),
    Client: addressedClient(Guarded, address),
  };
}

/** Not a start parameter of the session: a login without the right to set it could not connect. */
const LIMIT_FILES = `SELECT set_config('temp_file_limit', $1, FALSE) FROM pg_roles WHERE rolname = current_user AND rolsuper`;

const limitFiles =
  ({ temporaryFileBytes }: DatabaseMemory) =>
  async (client: ClientBase): Promise<void> => {
    await client.query(LIMIT_FILES, [kilobytes(temporaryFileBytes)]);
  };
