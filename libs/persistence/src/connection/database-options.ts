import type { Logger, Metrics } from '@lintel/telemetry';
import type { SlowQueryOptions } from '../observing/slow-queries.ts';
import type { ResultMemory } from './result-memory.ts';

/** What one session of the database may use. Sizes of 0 leave the setting of the server. */
export interface DatabaseMemory {
  /** `work_mem`: of one sort, hash or tally, before it uses files. */
  readonly workBytes: number;
  /** `temp_file_limit`: all such files of a session. Set where the login may set it. */
  readonly temporaryFileBytes: number;
}

/** Larger than every row of an API that is used as intended. */
export const DEFAULT_MAX_ROW_BYTES = 32 * 1024 * 1024;

/** What one request may hold in memory. */
export const DEFAULT_MAX_RESULT_BYTES = 32 * 1024 * 1024;

/** How to reach one database, and the limits of every connection to it. */
export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, with libpq's parameters after `?`. */
  readonly url: string;
  readonly maxConnections: number;
  /** Longest run of one statement; the database itself enforces it. */
  readonly statementTimeoutMs: number;
  /** Greatest row that is received; `DEFAULT_MAX_ROW_BYTES` without it. A connection over which a greater one comes is closed. */
  readonly maxRowBytes?: number;
  /** The same for all rows of a statement, or of a batch of a cursor; `DEFAULT_MAX_RESULT_BYTES` without it. */
  readonly maxResultBytes?: number;
  /** What the results of all connections may use together, those of other databases with the same object included. */
  readonly resultMemory?: ResultMemory | undefined;
  /** Memory and files that one statement may use; the server's own settings without it. */
  readonly memory?: DatabaseMemory | undefined;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Every transaction is read-only: writing statements are refused by the database. */
  readonly readOnly?: boolean;
  /** Told when an idle connection is lost, and of slow statements. */
  readonly logger?: Pick<Logger, 'warn'>;
  /** Where statements and connections are counted, under the name of the application. */
  readonly metrics?: Metrics | undefined;
  /** Without it nothing is told of slow statements. */
  readonly slowQueries?: SlowQueryOptions | undefined;
}
