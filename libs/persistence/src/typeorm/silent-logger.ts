import type { Logger } from 'typeorm';

const ignore = (): void => {};

/**
 * TypeORM prints to the console even with logging off; statements are logged where they run, and failures are thrown.
 */
export const SILENT_LOGGER: Logger = {
  logQuery: ignore,
  logQueryError: ignore,
  logQuerySlow: ignore,
  logSchemaBuild: ignore,
  logMigration: ignore,
  log: ignore,
};
