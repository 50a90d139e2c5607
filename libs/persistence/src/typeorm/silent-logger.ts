import type { Logger } from 'typeorm';

const ignore = (): void => {};

/** TypeORM would print to the console even with logging off; statements are observed where they run, failures thrown. */
export const SILENT_LOGGER: Logger = {
  logQuery: ignore,
  logQueryError: ignore,
  logQuerySlow: ignore,
  logSchemaBuild: ignore,
  logMigration: ignore,
  log: ignore,
};
