export { binariesFolder } from './binaries.ts';
export { canExecute } from './can-execute.ts';
export { type DatabaseUser, databaseUser } from './database-user.ts';
export { EmbeddedDatabaseError } from './embedded-database-error.ts';
export { freeLoopbackPort } from './free-loopback-port.ts';
export { linkLibraries } from './link-libraries.ts';
export { type ProvideOptions, provideBinaries } from './provide-binaries.ts';
export { type RunningServer, readServerFile, stopServer } from './server-process.ts';
export {
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
  startEmbeddedDatabase,
} from './start-embedded-database.ts';
