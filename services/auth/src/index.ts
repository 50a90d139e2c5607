export { type AuthService, createAuthService } from './app.ts';
export { type AuthConfig, settings } from './config.ts';
export type { AuthPorts } from './ports.ts';
