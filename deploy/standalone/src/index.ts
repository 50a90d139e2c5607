export { demoUsers } from './demo-requests.ts';
export { type HomeDatabase, openHomeDatabase } from './home-database.ts';
export { keepSecrets, type Secrets } from './secrets.ts';
export { standaloneDefaults } from './standalone-properties.ts';
export { type RunningServices, type StartOptions, startServices } from './start-services.ts';
export { removeHome, resolveStatePaths, type StatePaths } from './state-directory.ts';
