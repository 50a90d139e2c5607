import type { Logger, Metrics } from '@lintel/telemetry';
import type { SlowQueryOptions } from '../observing/slow-queries.ts';

/** How to reach one database, and the limits of every connection to it. */
export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, with libpq's parameters after `?`. */
  readonly url: string;
  readonly maxConnections: number;
  /** Longest run of one statement; the database itself enforces it. */
  readonly statementTimeoutMs: number;
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
