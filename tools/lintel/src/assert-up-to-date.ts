import type { Application } from '@lintel/application';
import { migrationStatus, unreachableReasonOf } from '@lintel/schema';
import { CommandError } from './command-error.ts';

/**
 * Without the tables of the application there would be no sentence to say.
 *
 * @throws CommandError where the database cannot be reached, or migrations have not run in it
 */
export async function assertUpToDate(application: Application, url: string): Promise<void> {
  const status = await statusOf({ url, migrations: application.migrations ?? [] });
  const missing = status.filter(({ state }) => state === 'pending');
  if (missing.length > 0)
    throw new CommandError(
      `${missing.length === 1 ? 'One migration has' : `${missing.length} migrations have`} not run in this database`,
      'Run "lintel migrate run" first, or start the application',
    );
}

async function statusOf(options: Parameters<typeof migrationStatus>[0]): ReturnType<typeof migrationStatus> {
  try {
    return await migrationStatus(options);
  } catch (error) {
    const reason = unreachableReasonOf(error);
    if (reason === undefined) throw error;
    throw new CommandError(
      `The database cannot be reached: ${reason}`,
      'Start PostgreSQL, or correct SVC_DATASOURCE_URL',
      { cause: error },
    );
  }
}
