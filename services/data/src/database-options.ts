import { datasourceOf } from '@lintel/config';
import type { DatabaseOptions } from '@lintel/persistence';
import type { DataConfig } from './config.ts';
import type { DatabaseLimits } from './database-limits.ts';

type Options = Omit<DatabaseOptions, 'logger' | 'metrics'>;

/** How the service connects to the database of the application. */
export const primaryOptions = ({ database }: Pick<DataConfig, 'database'>, limits: DatabaseLimits): Options => ({
  ...datasourceOf(database),
  maxConnections: database.poolSize,
  statementTimeoutMs: database.statementTimeoutMs,
  ...limits,
  applicationName: 'lintel-data',
  slowQueries: database.slowQueries,
});

/** How the service reads the tables of the application where they are in another database than the platform's. */
export const applicationOptions = (
  { database }: Pick<DataConfig, 'database'>,
  limits: DatabaseLimits,
  url: string,
): Options => ({
  ...primaryOptions({ database }, limits),
  ...datasourceOf({ ...database, url, directUrl: undefined, passwordFile: undefined }),
  applicationName: 'lintel-data-application',
  readOnly: true,
});

/** How the service writes the access log. */
export const accessLogOptions = ({ database }: Pick<DataConfig, 'database'>, limits: DatabaseLimits): Options => ({
  ...primaryOptions({ database }, limits),
  maxConnections: 1,
  applicationName: 'lintel-data-access-log',
});

/**
 * How the service runs the SQL of reports.
 *
 * @param url of a login that can read the tables of the application only
 */
export const reportOptions = (
  { database }: Pick<DataConfig, 'database'>,
  limits: DatabaseLimits,
  url: string,
): Options => ({
  ...datasourceOf({ ...database, url, passwordFile: database.reportPasswordFile }),
  maxConnections: database.reportPoolSize,
  statementTimeoutMs: database.reportStatementTimeoutMs,
  ...limits,
  applicationName: 'lintel-data-reports',
  readOnly: true,
  slowQueries: database.slowQueries,
});
