export { type HomeDatabase, openHomeDatabase } from './home-database.ts';
export { type RunningServices, type StartOptions, startServices } from './start-services.ts';
