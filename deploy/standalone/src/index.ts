export { type RunningServices, type StartOptions, startServices } from './start-services.ts';
