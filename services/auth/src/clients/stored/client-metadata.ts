import { ACR_VALUES, isPlainText } from '@lintel/contracts';
import { z } from 'zod';
import type { Client } from '../client.ts';
import { isPublicKeySet } from '../client-keys.ts';
import { AUTHENTICATION_METHODS, type ClientSettings, GRANT_TYPES } from '../client-settings.ts';
import { type ClientDefaults, type NameOf, problemsOf, toClient } from '../define-client.ts';
import { redirectProblem } from './redirect-problem.ts';

const MAX_MEMBERS = 50;
const MAX_KEYS_LENGTH = 16_000;

/** How JSON has control characters and halves of characters, which PostgreSQL does not store. */
const CONTROL_ESCAPE = /\\u/;

const text = (max = 255) => z.string().min(1).max(max).refine(isPlainText, 'must have no control characters');
const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .max(MAX_MEMBERS)
    .refine((items) => new Set(items).size === items.length, 'must have each value once');
const redirect = z.string().superRefine((value, { addIssue }) => {
  const message = redirectProblem(value);
  if (message !== undefined) addIssue({ code: 'custom', message });
});
const seconds = z.int().min(1);
/** Members of public keys have no members of their own (RFC 7517 §4, RFC 7518 §6). */
const key = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())], 'must be a text or a list of texts'),
);

/** What describes a client of the database, in the form of the API (contract/clients.md#members). */
export const clientMetadataSchema = z.strictObject({
  name: text().optional(),
  authenticationMethods: list(z.enum(AUTHENTICATION_METHODS)).min(1).default(['client_secret_basic']),
  grantTypes: list(z.enum(GRANT_TYPES)).min(1).default(['client_credentials']),
  redirectUris: list(redirect).default([]),
  postLogoutRedirectUris: list(redirect).default([]),
  backchannelLogoutUri: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .refine(isPlainText, 'must have no control characters')
    .optional(),
  /** Without any it has only those of OpenID Connect. */
  scopes: list(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'must be a scope of RFC 6749')).optional(),
  requiredAcr: z.enum(ACR_VALUES).optional(),
  requireAuthorizationConsent: z.boolean().default(true),
  resourceRoles: list(text()).default([]),
  rowLevelRoles: list(text()).default([]),
  accessTokenFormat: z.enum(['reference', 'self-contained']).default('reference'),
  accessTokenTimeToLive: seconds.optional(),
  refreshTokenTimeToLive: seconds.optional(),
  authorizationCodeTimeToLive: seconds.optional(),
  reuseRefreshTokens: z.boolean().optional(),
  jwks: z
    .object({ keys: z.array(key) })
    .refine((value) => {
      const keys = JSON.stringify(value);
      return keys.length <= MAX_KEYS_LENGTH && !CONTROL_ESCAPE.test(keys) && isPublicKeySet(keys);
    }, `must be a JSON Web Key Set of public keys, of at most ${MAX_KEYS_LENGTH} characters`)
    .optional(),
});

export type ClientMetadata = z.infer<typeof clientMetadataSchema>;

const MEMBERS: Readonly<Partial<Record<keyof ClientSettings, keyof ClientMetadata>>> = {
  'client-authentication-methods': 'authenticationMethods',
  'grant-types': 'grantTypes',
  'redirect-uris': 'redirectUris',
  'reuse-refresh-tokens': 'reuseRefreshTokens',
};
const nameOf: NameOf = (setting) => MEMBERS[setting] ?? setting;

const milliseconds = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : value * 1000;

/** The metadata as settings of the configuration, whose rules apply to them, too. */
function toSettings(clientId: string, metadata: ClientMetadata): ClientSettings {
  return {
    'client-id': clientId,
    'client-name': metadata.name,
    jwks: metadata.jwks === undefined ? undefined : JSON.stringify(metadata.jwks),
    'client-authentication-methods': metadata.authenticationMethods,
    'grant-types': metadata.grantTypes,
    'redirect-uris': metadata.redirectUris,
    'post-logout-redirect-uris': metadata.postLogoutRedirectUris,
    'backchannel-logout-uri': metadata.backchannelLogoutUri,
    scopes: metadata.scopes,
    'required-acr': metadata.requiredAcr,
    'require-authorization-consent': metadata.requireAuthorizationConsent,
    'resource-roles': metadata.resourceRoles,
    'row-level-roles': metadata.rowLevelRoles,
    'access-token-format': metadata.accessTokenFormat,
    'access-token-time-to-live': milliseconds(metadata.accessTokenTimeToLive),
    'refresh-token-time-to-live': milliseconds(metadata.refreshTokenTimeToLive),
    'authorization-code-time-to-live': milliseconds(metadata.authorizationCodeTimeToLive),
    'reuse-refresh-tokens': metadata.reuseRefreshTokens,
  };
}

/** The client that the metadata describe. */
export const clientOf = (clientId: string, metadata: ClientMetadata, defaults: ClientDefaults): Client =>
  toClient(toSettings(clientId, metadata), defaults);

/** Contradictions between the members, and lifetimes above those of the server. */
export function metadataProblems(clientId: string, metadata: ClientMetadata, defaults: ClientDefaults): string[] {
  const client = clientOf(clientId, metadata, defaults);
  const problems = [...problemsOf(client, toSettings(clientId, metadata), nameOf)];
  for (const [member, lifeMs, maxMs] of [
    ['accessTokenTimeToLive', client.accessTokenTtlMs, defaults.accessTokenTtlMs],
    ['refreshTokenTimeToLive', client.refreshTokenTtlMs, defaults.refreshTokenTtlMs],
    ['authorizationCodeTimeToLive', client.authorizationCodeTtlMs, defaults.authorizationCodeTtlMs],
  ] as const)
    if (lifeMs > maxMs) problems.push(`${member} is at most that of the server: ${Math.floor(maxMs / 1000)}`);
  return problems;
}
