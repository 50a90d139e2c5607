import type { Logger, Metrics } from '@lintel/telemetry';
import type { SlowQueryOptions } from '../observing/slow-queries.ts';
import type { ResultMemory } from './results/result-memory.ts';

/** Limits of one session of the database. A size of 0 leaves the setting of the server. */
export interface DatabaseMemory {
  /** `work_mem`: memory of one sort, hash or aggregation, before it uses files. */
  readonly workBytes: number;
  /** `temp_file_limit`: all such files of a session. Set only where the login has the right to set it. */
  readonly temporaryFileBytes: number;
}

/** Larger than any row of normal use. */
export const DEFAULT_MAX_ROW_BYTES = 32 * 1024 * 1024;

/** Maximum memory of the result of one request. */
export const DEFAULT_MAX_RESULT_BYTES = 32 * 1024 * 1024;

/**
 * What is between the service and the server. With `transaction` a pooler gives each transaction another session: then
 * nothing depends on the session.
 */
export type Pooler = 'none' | 'transaction';

/** How to reach one database, and the limits of every connection to it. */
export interface DatabaseOptions {
  /**
   * `postgres://user:password@host:port/database`, with libpq's parameters after `?`. Several servers are separated by
   * commas; each new connection leads to the primary.
   */
  readonly url: string;
  /** Default `none`. */
  readonly pooler?: Pooler;
  /** Whether statements are prepared by name; by default they are, except with a pooler. */
  readonly preparedStatements?: boolean | undefined;
  /** URL without a pooler, for what needs a session; without it notifications are replaced by polling. */
  readonly directUrl?: string | undefined;
  readonly maxConnections: number;
  /** Maximum duration of one statement; the database itself enforces it. */
  readonly statementTimeoutMs: number;
  /**
   * Maximum size of a received row; default `DEFAULT_MAX_ROW_BYTES`. A connection that receives a larger row is closed.
   */
  readonly maxRowBytes?: number;
  /** The same for all rows of a statement, or of a batch of a cursor; default `DEFAULT_MAX_RESULT_BYTES`. */
  readonly maxResultBytes?: number;
  /** Memory that the results of all connections share, those of other databases with the same object included. */
  readonly resultMemory?: ResultMemory | undefined;
  /** Memory and files that one statement may use; default: the settings of the server. */
  readonly memory?: DatabaseMemory | undefined;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Every transaction is read-only: the database refuses statements that write. */
  readonly readOnly?: boolean;
  /** Receives outages, lost idle connections and slow statements. */
  readonly logger?: Pick<Logger, 'info' | 'warn'>;
  /** Counts statements and connections, with the application name as the pool. */
  readonly metrics?: Metrics | undefined;
  /** Without it slow statements are not logged. */
  readonly slowQueries?: SlowQueryOptions | undefined;
}
