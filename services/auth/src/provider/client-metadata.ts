import type { ClientMetadata } from 'oidc-provider';
import type { Client } from '../clients/client.ts';
import { CLAIMS_OF_SCOPES } from '../tokens/introspection/user-claims.ts';

/** The authentication method of all token requests inside oidc-provider. */
export const REPLAYED_METHOD = 'client_secret_basic';

/** Redirects to a program of the machine (RFC 8252 §7): at a loopback address, or by a scheme of its own. */
const isNative = (uri: string): boolean => {
  const { protocol, hostname } = new URL(uri);
  if (protocol !== 'http:') return protocol !== 'https:';
  return ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
};

/** The scopes with those of OpenID Connect, which every client may request. */
export const withStandardScopes = (scopes: readonly string[]): string[] => [
  ...new Set(['openid', 'offline_access', ...Object.keys(CLAIMS_OF_SCOPES), ...scopes]),
];

/** What oidc-provider knows of a client. */
export function toMetadata(
  client: Client,
  { hasPasswordGrant }: { readonly hasPasswordGrant: boolean },
): ClientMetadata {
  const hasCode = client.grantTypes.has('authorization_code');
  return {
    client_id: client.clientId,
    client_name: client.name,
    // Never compared: only the registry has the secrets.
    client_secret: 'checked-before',
    grant_types: [...client.grantTypes].filter((grant) => grant !== 'password' || hasPasswordGrant),
    redirect_uris: hasCode ? [...client.redirectUris] : [],
    response_types: hasCode ? ['code'] : [],
    // Native applications may use any port of a loopback redirect (RFC 8252 §7.3).
    application_type: client.redirectUris.some(isNative) ? 'native' : 'web',
    token_endpoint_auth_method: REPLAYED_METHOD,
    post_logout_redirect_uris: [...client.postLogoutRedirectUris],
    ...(client.backchannelLogoutUri === undefined
      ? {}
      : { backchannel_logout_uri: client.backchannelLogoutUri, backchannel_logout_session_required: true }),
    // Without it a client could request scopes of other clients.
    scope: withStandardScopes(client.scopes).join(' '),
  };
}
