export { binariesFolder } from './binaries/binaries.ts';
export { canExecute } from './binaries/can-execute.ts';
export { linkLibraries } from './binaries/link-libraries.ts';
export { type ProvideOptions, provideBinaries } from './binaries/provide-binaries.ts';
export { type DatabaseUser, databaseUser } from './database-user.ts';
export { EmbeddedDatabaseError } from './embedded-database-error.ts';
export { freeLoopbackPort } from './free-loopback-port.ts';
export { type RunningServer, readServerFile, stopServer } from './server-process.ts';
export {
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
  startEmbeddedDatabase,
} from './start-embedded-database.ts';
