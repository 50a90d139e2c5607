import type { Application } from '@lintel/application';
import { runMigrations } from '@lintel/schema';
import type { Logger } from '@lintel/telemetry';

/**
 * Brings a database to the schema of the platform and of the application. The log has a line for each migration.
 *
 * @returns the number of steps
 * @throws MigrationError where a migration fails
 */
export const migrateDatabase = (
  url: string,
  { migrations = [] }: Pick<Application, 'migrations'>,
  logger: Logger,
): ReturnType<typeof runMigrations> =>
  runMigrations({
    url,
    migrations,
    onProgress: (progress) => logger[progress.kind === 'ran' ? 'info' : 'warn'](progress, 'migrations'),
  });
