export { createDataService } from './app.ts';
export type { DataService } from './assemble-app.ts';
export { type DataConfig, settings } from './config.ts';
export { createDatabaseLimits, type DatabaseLimits } from './database-limits.ts';
export { primaryOptions, reportOptions } from './database-options.ts';
export { migrateDatabase } from './migrate-database.ts';
export type { DataPorts } from './ports.ts';
export { startOutboxRelay } from './start-outbox-relay.ts';
export { createHttpSessionLocales } from './user-session/http-session-locales.ts';
