export { type AuthService, createAuthService } from './app.ts';
export { type AuthConfig, settings } from './config.ts';
