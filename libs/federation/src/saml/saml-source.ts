import type { LoginSource } from '../logins/check-logins.ts';
import type { SamlProvider } from './saml-provider.ts';

/** SAML has no request that would check a login again: it ends by a logout, or with our tokens. */
export const createSamlSource = (provider: SamlProvider): LoginSource => ({
  rules: provider.settings,
  stateOf: async () => ({ kind: 'unknown' }),
});
