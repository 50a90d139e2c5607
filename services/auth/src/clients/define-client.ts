import type { AuthConfig } from '../config.ts';
import type { Client } from './client.ts';
import { ASSERTION_ALGORITHMS, isUsableKeySet } from './client-keys.ts';
import { type ClientSettings, DEVICE_GRANT, type GrantType } from './client-settings.ts';

/** Settings of the server that clients without their own have. */
export type ClientDefaults = Pick<
  AuthConfig,
  'accessTokenTtlMs' | 'refreshTokenTtlMs' | 'authorizationCodeTtlMs' | 'reuseRefreshTokens'
> & { readonly platform: Pick<AuthConfig['platform'], 'apiScope'> };

const MIN_TTL_MS = 1_000;

/** The client that settings describe. */
export function toClient(settings: ClientSettings, config: ClientDefaults): Client {
  const isPublic = settings['client-authentication-methods'].includes('none');
  return Object.freeze({
    clientId: settings['client-id'],
    name: settings['client-name'] ?? settings['client-id'],
    authenticationMethods: new Set(settings['client-authentication-methods']),
    isPublic,
    grantTypes: new Set(settings['grant-types']),
    redirectUris: settings['redirect-uris'],
    postLogoutRedirectUris: settings['post-logout-redirect-uris'],
    backchannelLogoutUri: settings['backchannel-logout-uri'],
    scopes: settings.scopes ?? [config.platform.apiScope],
    requiredAcr: settings['required-acr'],
    asksForConsent: settings['require-authorization-consent'],
    resourceRoles: settings['resource-roles'],
    rowLevelRoles: settings['row-level-roles'],
    accessTokenFormat: settings['access-token-format'],
    accessTokenTtlMs: settings['access-token-time-to-live'] ?? config.accessTokenTtlMs,
    refreshTokenTtlMs: settings['refresh-token-time-to-live'] ?? config.refreshTokenTtlMs,
    authorizationCodeTtlMs: settings['authorization-code-time-to-live'] ?? config.authorizationCodeTtlMs,
    reusesRefreshTokens: !isPublic && (settings['reuse-refresh-tokens'] ?? config.reuseRefreshTokens),
  });
}

/** Names of the settings, by which problems are reported. */
export type NameOf = (setting: keyof ClientSettings) => string;

/** Contradictions between the settings of a client. */
export function problemsOf(client: Client, settings: ClientSettings, nameOf: NameOf): readonly string[] {
  const problems: string[] = [];
  const say = (text: string) => problems.push(text);
  if (client.isPublic) problems.push(...publicProblems(client, settings, nameOf));
  if (client.authenticationMethods.has('private_key_jwt') !== (settings.jwks !== undefined))
    say(`the method private_key_jwt and ${nameOf('jwks')} need each other`);
  if (settings.jwks !== undefined && !isUsableKeySet(settings.jwks))
    say(`${nameOf('jwks')}: each key must verify one of ${ASSERTION_ALGORITHMS.join(', ')}; RSA needs 2048 bits`);
  if (client.grantTypes.has('authorization_code') && client.redirectUris.length === 0)
    say(`the grant authorization_code needs ${nameOf('redirect-uris')}`);
  if (client.grantTypes.size === 1 && client.grantTypes.has('refresh_token'))
    say('the grant refresh_token needs another grant that issues refresh tokens');
  if (Math.min(client.accessTokenTtlMs, client.refreshTokenTtlMs, client.authorizationCodeTtlMs) < MIN_TTL_MS)
    say('a token or code lives at least one second');
  return problems;
}

/** Whether a client authenticates with a secret. */
export const usesSecret = ({ authenticationMethods }: Client): boolean =>
  authenticationMethods.has('client_secret_basic') || authenticationMethods.has('client_secret_post');

/** Grants of public clients: with the others everybody could be the client. */
const PUBLIC_GRANTS: ReadonlySet<GrantType> = new Set<GrantType>(['authorization_code', DEVICE_GRANT, 'refresh_token']);

function publicProblems(client: Client, settings: ClientSettings, nameOf: NameOf): readonly string[] {
  const problems: string[] = [];
  if (client.authenticationMethods.size > 1) problems.push('the method none excludes the other ones');
  if (settings['client-secret'] !== undefined)
    problems.push(`a public client (method none) has no ${nameOf('client-secret')}`);
  const refused = [...client.grantTypes].filter((grant) => !PUBLIC_GRANTS.has(grant));
  if (refused.length > 0)
    problems.push(
      `a public client (method none) has ${nameOf('grant-types')} of ${[...PUBLIC_GRANTS].join(', ')}, not ${refused.join(', ')}`,
    );
  if (settings['reuse-refresh-tokens'] === true)
    problems.push(
      `the refresh tokens of a public client (method none) work once: ${nameOf('reuse-refresh-tokens')} is false`,
    );
  return problems;
}
