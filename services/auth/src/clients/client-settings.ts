import {
  booleanValue,
  choiceListValue,
  choiceValue,
  durationMsValue,
  listValue,
  textValue,
  urlValue,
} from '@lintel/config';
import { ACR_VALUES } from '@lintel/contracts';
import { z } from 'zod';
import { isPublicKeySet } from './client-keys.ts';

/** Grants that a client may have (contract/decisions.md#24). */
export const GRANT_TYPES = [
  'password',
  'refresh_token',
  'client_credentials',
  'authorization_code',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** The grant of devices without a browser (RFC 8628). */
export const DEVICE_GRANT: GrantType = 'urn:ietf:params:oauth:grant-type:device_code';

export const isGrantType = (text: string): text is GrantType => GRANT_TYPES.some((grant) => grant === text);

/** Formats of access tokens: opaque references, or JWTs with the claims (RFC 9068). */
const ACCESS_TOKEN_FORMATS = ['reference', 'self-contained'] as const;
export type AccessTokenFormat = (typeof ACCESS_TOKEN_FORMATS)[number];

/**
 * How a client may authenticate: by the `Authorization` header, or in the form (RFC 6749 §2.3.1). A public client has no
 * secret and only names itself (`none`). One with `private_key_jwt` signs each request (RFC 7523).
 */
export const AUTHENTICATION_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const;
export type AuthenticationMethod = (typeof AUTHENTICATION_METHODS)[number];

/** Whether the library compares the address exactly: a wildcard would never match, or match others elsewhere. */
const redirectUri = (text: string): boolean => URL.canParse(text) && !/[#*]/.test(text);

const REDIRECT_URIS = 'expected absolute URLs without a fragment or wildcard (*)';

/** Members of `svc.authserver.client.<name>` (contract/tokens.md#clients). */
export const clientSchema = z.object({
  'client-id': textValue().refine((text) => /^[\x20-\x7e]+$/.test(text), 'expected printable ASCII (RFC 6749)'),
  'client-name': textValue().optional(),
  'client-secret': textValue().optional(),
  jwks: textValue().refine(isPublicKeySet, 'expected a JSON Web Key Set of public keys').optional(),
  'client-authentication-methods': choiceListValue(AUTHENTICATION_METHODS)
    .refine((methods) => methods.length > 0, 'expected at least one method')
    .default(['client_secret_basic']),
  'grant-types': choiceListValue(GRANT_TYPES).default(['client_credentials']),
  'redirect-uris': listValue()
    .refine((items) => items.every(redirectUri), REDIRECT_URIS)
    .default([]),
  'post-logout-redirect-uris': listValue()
    .refine((items) => items.every(redirectUri), REDIRECT_URIS)
    .default([]),
  'backchannel-logout-uri': urlValue().optional(),
  scopes: listValue().optional(),
  'require-authorization-consent': booleanValue().default(false),
  'required-acr': choiceValue(ACR_VALUES).optional(),
  'resource-roles': listValue().default([]),
  'row-level-roles': listValue().default([]),
  'access-token-format': choiceValue(ACCESS_TOKEN_FORMATS).default('reference'),
  'access-token-time-to-live': durationMsValue().optional(),
  'refresh-token-time-to-live': durationMsValue().optional(),
  'authorization-code-time-to-live': durationMsValue().optional(),
  'reuse-refresh-tokens': booleanValue().optional(),
});

export type ClientSettings = z.infer<typeof clientSchema>;

/** Descriptions of the members for the reference of the properties. */
export const CLIENT_MEMBERS: Readonly<Record<keyof ClientSettings, string>> = {
  'client-id': 'Id of the client; the name in the property only groups its properties',
  'client-name': 'What the pages for users call the client; else its id',
  'client-secret': 'Secret of the client, or its argon2id hash; a public client has none',
  jwks: 'Public keys of the client for `private_key_jwt`: a JSON Web Key Set',
  'client-authentication-methods':
    'How the client authenticates: by the `Authorization` header, in the form, or by a JWT that it signs; `none` is a public client with PKCE',
  'grant-types': 'Grants that the client may use',
  'redirect-uris': 'Where a login on the page may lead; a loopback address stands for all of its ports',
  'post-logout-redirect-uris': 'Where a logout that the client starts may lead',
  'backchannel-logout-uri': 'Where the client receives a logout token at the end of a login in the browser',
  scopes: 'Scopes that the client may ask for; by default `svc.authserver.scope`',
  'require-authorization-consent': 'Whether a person is asked before the client gets a code',
  'required-acr':
    'Weakest authentication of users that the client accepts; `urn:lintel:acr:2fa` asks every user for a second factor',
  'resource-roles': 'Resource roles of its client-credentials tokens',
  'row-level-roles': 'Row-level roles of its client-credentials tokens',
  'access-token-format': 'Whether its access tokens are opaque references or JWTs (RFC 9068)',
  'access-token-time-to-live': 'Life of its access tokens; else `svc.authserver.access-token-time-to-live`',
  'refresh-token-time-to-live': 'Life of its refresh tokens; else `svc.authserver.refresh-token-time-to-live`',
  'authorization-code-time-to-live': 'Life of its codes; else five minutes',
  'reuse-refresh-tokens':
    'Whether a refresh returns the same refresh token; else `svc.authserver.reuse-refresh-tokens`',
};
