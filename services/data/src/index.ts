export { createAdministration } from './administration/create-administration.ts';
export { createDataService, type DataService } from './app.ts';
export { type DataConfig, settings } from './config.ts';
export { createDatabaseLimits, type DatabaseLimits } from './database-limits.ts';
export { createIdSource } from './ids/create-id-source.ts';
export { createDocuments, type Documents } from './openapi/create-documents.ts';
export type { Clock, DataPorts, IdSource } from './ports.ts';
export { createHttpSessionLocales } from './user-session/http-session-locales.ts';
