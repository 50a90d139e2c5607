import { ConfigurationError } from '@lintel/config';
import type { JWTVerifyGetKey } from 'jose';
import type { AuthConfig } from '../config.ts';
import type { BasicCredentials, Client, ClientRegistry } from './client.ts';
import { keyFinderOf } from './client-keys.ts';
import { createSecretCheck, type SecretCheck } from './client-secret.ts';
import { type ClientSettings, DEVICE_GRANT, type GrantType } from './client-settings.ts';

type RegistryConfig = Pick<
  AuthConfig,
  'clients' | 'accessTokenTtlMs' | 'refreshTokenTtlMs' | 'authorizationCodeTtlMs' | 'reuseRefreshTokens'
> & { readonly platform: Pick<AuthConfig['platform'], 'apiScope'> };

interface Entry {
  readonly client: Client;
  readonly keys?: JWTVerifyGetKey;
  /** Absent for a client without a secret. */
  readonly isSecret?: SecretCheck;
}

const MIN_TTL_MS = 1_000;

/**
 * The clients of the settings `svc.authserver.client.<name>.*`.
 *
 * @throws ConfigurationError naming every contradiction
 */
export function createClientRegistry(config: RegistryConfig): ClientRegistry {
  const problems: string[] = [];
  const entries = new Map<string, Entry>();
  for (const [name, settings] of Object.entries(config.clients)) {
    const client = toClient(settings, config);
    problems.push(...problemsOf(name, client, settings));
    if (entries.has(client.clientId))
      problems.push(`svc.authserver.client.${name}.client-id: ${client.clientId} is the id of another client`);
    const secret = settings['client-secret'];
    entries.set(client.clientId, {
      client,
      ...(secret !== undefined && { isSecret: createSecretCheck(secret) }),
      ...(settings.jwks !== undefined && { keys: keyFinderOf(settings.jwks) }),
    });
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return {
    async authenticate(
      { clientId, clientSecret }: BasicCredentials,
      method = 'client_secret_basic',
      hashing = (work) => work(),
    ) {
      // RFC 6749 §2.3.1 requires form encoding of both parts; many clients send them without it.
      for (const [id, secret] of readings(clientId, clientSecret)) {
        const entry = entries.get(id);
        if (entry?.isSecret === undefined || !entry.client.authenticationMethods.has(method)) continue;
        if (await entry.isSecret(secret, hashing)) return entry.client;
      }
      return undefined;
    },
    findPublic(clientId) {
      const client = entries.get(clientId)?.client;
      return client?.isPublic === true ? client : undefined;
    },
    keysOf: (clientId) => entries.get(clientId)?.keys,
    idMeantBy: (clientId) => readings(clientId, '').find(([id]) => entries.has(id))?.[0] ?? clientId,
    find: (clientId) => entries.get(clientId)?.client,
    all: () => [...entries.values()].map(({ client }) => client),
  };
}

function toClient(settings: ClientSettings, config: RegistryConfig): Client {
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

function problemsOf(name: string, client: Client, settings: ClientSettings): readonly string[] {
  const problems: string[] = [];
  const say = (text: string) => problems.push(`svc.authserver.client.${name}: ${text}`);
  if (client.isPublic) publicProblems(client, settings).forEach(say);
  else if (settings['client-secret'] === undefined && usesSecret(client))
    say('client-secret is missing; client-authentication-methods=none makes it a public client');
  if (client.authenticationMethods.has('private_key_jwt') !== (settings.jwks !== undefined))
    say('the method private_key_jwt and jwks need each other');
  if (client.grantTypes.has('authorization_code') && client.redirectUris.length === 0)
    say('the grant authorization_code needs redirect-uris');
  if (client.grantTypes.size === 1 && client.grantTypes.has('refresh_token'))
    say('the grant refresh_token needs another grant that issues refresh tokens');
  if (Math.min(client.accessTokenTtlMs, client.refreshTokenTtlMs, client.authorizationCodeTtlMs) < MIN_TTL_MS)
    say('a token or code lives at least one second');
  return problems;
}

const usesSecret = ({ authenticationMethods }: Client): boolean =>
  authenticationMethods.has('client_secret_basic') || authenticationMethods.has('client_secret_post');

/** Grants of public clients: with the others everybody could be the client. */
const PUBLIC_GRANTS: ReadonlySet<GrantType> = new Set<GrantType>(['authorization_code', DEVICE_GRANT, 'refresh_token']);

function publicProblems(client: Client, settings: ClientSettings): readonly string[] {
  const problems: string[] = [];
  if (client.authenticationMethods.size > 1) problems.push('the method none excludes the other ones');
  if (settings['client-secret'] !== undefined) problems.push('a public client (method none) has no client-secret');
  const refused = [...client.grantTypes].filter((grant) => !PUBLIC_GRANTS.has(grant));
  if (refused.length > 0)
    problems.push(
      `a public client (method none) has grant-types of ${[...PUBLIC_GRANTS].join(', ')}, not ${refused.join(', ')}`,
    );
  if (settings['reuse-refresh-tokens'] === true)
    problems.push('the refresh tokens of a public client (method none) work once: reuse-refresh-tokens is false');
  return problems;
}

function readings(clientId: string, clientSecret: string): readonly (readonly [string, string])[] {
  const plain = [clientId, clientSecret] as const;
  if (!/[%+]/.test(clientId + clientSecret)) return [plain];
  try {
    const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
    return [plain, [decode(clientId), decode(clientSecret)]];
  } catch {
    return [plain];
  }
}
