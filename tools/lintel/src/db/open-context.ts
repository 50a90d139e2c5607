import {
  type ApplicationContext,
  type ApplicationOptions,
  configuredDatabaseUrl,
  openApplication,
} from '../application-context.ts';

/** Where the database is; an application that cannot be loaded does not matter where `--url` names it. */
export const databaseOf = async (options: ApplicationOptions): Promise<Pick<ApplicationContext, 'databaseUrl'>> =>
  options.url === undefined ? openApplication(options) : { databaseUrl: configuredDatabaseUrl(options) };
