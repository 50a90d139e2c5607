import { PROVIDER_CLIENT, PROVIDER_SECRET } from '@lintel/federation/testing';
import { CALLBACK } from './login-pages.ts';

/** Properties of the client `web`, which needs no consent. */
export const WEB = {
  'svc.authserver.client.web.client-id': 'web',
  'svc.authserver.client.web.client-secret': 'secret',
  'svc.authserver.client.web.grant-types': 'authorization_code,refresh_token',
  'svc.authserver.client.web.redirect-uris': CALLBACK,
};

/** Properties of a client that asks for consent. */
export const ASKING = {
  'svc.authserver.client.asking.client-id': 'asking',
  'svc.authserver.client.asking.client-secret': 'secret',
  'svc.authserver.client.asking.grant-types': 'authorization_code,refresh_token',
  'svc.authserver.client.asking.redirect-uris': CALLBACK,
  'svc.authserver.client.asking.require-authorization-consent': 'true',
};

/** Properties of Lintel as the client of a provider. */
export const clientOf = (name: string, issuer: string) => ({
  [`svc.auth.provider.${name}.issuer`]: issuer,
  [`svc.auth.provider.${name}.client-id`]: PROVIDER_CLIENT,
  [`svc.auth.provider.${name}.client-secret`]: PROVIDER_SECRET,
});
