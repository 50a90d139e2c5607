import type { Application } from '@lintel/application';
import { migrationStatus } from '@lintel/schema';
import { CommandError } from './command-error.ts';

/**
 * Without the tables of the application there would be no sentence to say.
 *
 * @throws CommandError where migrations have not run in the database
 */
export async function assertUpToDate(application: Application, url: string): Promise<void> {
  const status = await migrationStatus({ url, migrations: application.migrations ?? [] });
  const missing = status.filter(({ state }) => state === 'pending');
  if (missing.length > 0)
    throw new CommandError(
      `${missing.length} migrations have not run in this database`,
      'Run "lintel migrate run" first, or start the application',
    );
}
