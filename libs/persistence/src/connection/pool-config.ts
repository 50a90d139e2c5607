import type { PoolConfig } from 'pg';
import type { DatabaseOptions } from './database-options.ts';
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
export function poolConfigOf(options: DatabaseOptions, maxConnections: number): PoolConfig {
  const settings = options.readOnly ? [...SESSION_SETTINGS, 'default_transaction_read_only=on'] : SESSION_SETTINGS;
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
  };
}
