export { createDataService } from './app.ts';
export type { DataService } from './assemble-app.ts';
export { type DataConfig, settings } from './config.ts';
export { createDatabaseLimits, type DatabaseLimits } from './database-limits.ts';
export type { DataPorts } from './ports.ts';
export { createHttpSessionLocales } from './user-session/http-session-locales.ts';
