import type { Application } from '@lintel/application';
import { sessionUrlOf } from '@lintel/config';
import { StartError } from '@lintel/errors';
import type { StatementRunner } from '@lintel/persistence';
import { pendingMigrationNames, runMigrations, unreachableReasonOf } from '@lintel/schema';
import type { Logger } from '@lintel/telemetry';
import type { DataConfig } from './config.ts';

type Addresses = Pick<DataConfig['database'], 'url' | 'directUrl' | 'ssl' | 'passwordFile'>;

/**
 * Brings a database to the schema of the platform and of the application. The log has a line for each migration.
 *
 * @param until awaited when the session is there, before anything is run; if it rejects, nothing is
 * @returns the number of steps
 * @throws StartError where the database cannot be reached, or a migration fails
 */
export async function migrateDatabase(
  database: Addresses,
  { migrations = [] }: Pick<Application, 'migrations'>,
  logger: Pick<Logger, 'info' | 'warn'>,
  until?: Promise<unknown>,
): ReturnType<typeof runMigrations> {
  try {
    return await runMigrations({
      url: sessionUrlOf(database),
      migrations,
      ...(until && { until }),
      onProgress: (progress) => logger[progress.kind === 'ran' ? 'info' : 'warn'](progress, 'migrations'),
    });
  } catch (error) {
    const reason = unreachableReasonOf(error);
    if (reason === undefined) throw error;
    const property = `svc.datasource.${database.directUrl === undefined ? 'url' : 'direct-url'}`;
    throw new StartError(
      `The database of ${property} cannot be migrated: ${reason}. Start PostgreSQL first, or set svc.datasource.migrate=false and migrate with "lintel migrate run".`,
      { cause: error },
    );
  }
}

/**
 * Names, in one line of the log, the migrations that another program has to run (`svc.datasource.migrate` is false). The
 * service starts without them if all tables and columns of the model exist: versions may be exchanged in any order.
 */
export async function warnOfPendingMigrations(parts: {
  readonly database: StatementRunner;
  readonly application: Pick<Application, 'migrations'>;
  readonly logger: Pick<Logger, 'warn'>;
}): Promise<void> {
  const pending = await pendingMigrationNames(parts.database, parts.application.migrations ?? []);
  if (pending.length === 0) return;
  parts.logger.warn({ pending }, 'migrations of this version have not run: run "lintel migrate run"');
}
