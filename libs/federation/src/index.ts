export { createFederation, type Federation } from './create-federation.ts';
export { federationSettings } from './federation-settings.ts';
export { insecureDirectories, insecureIssuers } from './insecure-issuers.ts';
export type { LoginPages, LoginVisit } from './login-pages.ts';
export type { ExternalTokens } from './resource-server/external-tokens.ts';
