import { booleanValue, choiceValue, durationMsValue, listValue, textValue } from '@lintel/config';
import { z } from 'zod';

/** Grants that a client may have (decisions.md 24). */
export const GRANT_TYPES = ['password', 'refresh_token', 'client_credentials', 'authorization_code'] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

export const isGrantType = (text: string): text is GrantType => GRANT_TYPES.some((grant) => grant === text);

/** What the access tokens of a client are: opaque references, or JWTs that say what they stand for (RFC 9068). */
export const ACCESS_TOKEN_FORMATS = ['reference', 'self-contained'] as const;
export type AccessTokenFormat = (typeof ACCESS_TOKEN_FORMATS)[number];

/** How a client may prove who it is: by the `Authorization` header, or in the form (RFC 6749 §2.3.1). */
export const AUTHENTICATION_METHODS = ['client_secret_basic', 'client_secret_post'] as const;
export type AuthenticationMethod = (typeof AUTHENTICATION_METHODS)[number];

export const isAuthenticationMethod = (text: string): text is AuthenticationMethod =>
  AUTHENTICATION_METHODS.some((method) => method === text);

const redirectUri = (text: string): boolean => URL.canParse(text) && !text.includes('#');

/** Members of `svc.authserver.client.<name>` (specification 5.4, contract-security-core.md §1.3.1). */
export const clientSchema = z.object({
  'client-id': textValue(),
  'client-secret': textValue(),
  'client-authentication-methods': listValue()
    .refine(
      (items) => items.length > 0 && items.every(isAuthenticationMethod),
      `expected a list of ${AUTHENTICATION_METHODS.join(', ')}`,
    )
    .default(['client_secret_basic']),
  'grant-types': listValue()
    .refine((items) => items.every(isGrantType), `expected a list of ${GRANT_TYPES.join(', ')}`)
    .default(['client_credentials']),
  'redirect-uris': listValue()
    .refine((items) => items.every(redirectUri), 'expected absolute URLs without a fragment')
    .default([]),
  scopes: listValue().optional(),
  'require-authorization-consent': booleanValue().default(false),
  'resource-roles': listValue().default([]),
  'row-level-roles': listValue().default([]),
  'access-token-format': choiceValue(ACCESS_TOKEN_FORMATS).default('reference'),
  'access-token-time-to-live': durationMsValue().optional(),
  'refresh-token-time-to-live': durationMsValue().optional(),
  'authorization-code-time-to-live': durationMsValue().optional(),
  'reuse-refresh-tokens': booleanValue().optional(),
});

export type ClientSettings = z.infer<typeof clientSchema>;
