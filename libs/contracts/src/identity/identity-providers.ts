import { z } from 'zod';

/*
 * Bodies of the internal listener of auth for identity providers: `POST /internal/identity-providers/list` and `…/test`.
 * The caller of it decides who may do that.
 */

export const testProviderRequestSchema = z.object({ name: z.string().min(1).max(100) });

export const providerSettingSchema = z.object({ name: z.string(), value: z.string().describe('Secrets are masked') });
export const providerAddressSchema = z.object({
  kind: z.enum(['callback', 'logout', 'acs', 'metadata']),
  url: z.string(),
});
export const identityProviderSchema = z.object({
  name: z.string().describe('In the configuration'),
  kind: z.enum(['openid', 'saml', 'ldap', 'token-issuer']),
  title: z.string().nullable().describe('On the button of the login page; null without one'),
  /** Members of its configuration that are set or have a default. */
  settings: z.array(providerSettingSchema),
  addresses: z.array(providerAddressSchema).describe('Of this server, which the provider must know'),
});
export type IdentityProvider = z.infer<typeof identityProviderSchema>;
/** In the order of the configuration. */
export const identityProvidersResponseSchema = z.object({ providers: z.array(identityProviderSchema) });

/** What may be wrong with a provider. */
export const PROVIDER_PROBLEMS = [
  'dns',
  'connection',
  'tls',
  'timeout',
  'status',
  'document',
  'issuer',
  'endpoints',
  'insecure',
  'keys',
  'file',
  'login',
  'base',
  'other',
] as const;
export type ProviderProblemCode = (typeof PROVIDER_PROBLEMS)[number];

export const providerProblemSchema = z.object({
  code: z.enum(PROVIDER_PROBLEMS),
  /** A sentence for administrators. */
  message: z.string(),
});
export type ProviderProblem = z.infer<typeof providerProblemSchema>;

export const testProviderResponseSchema = z.object({
  successful: z.boolean(),
  durationMs: z.int().min(0),
  problems: z.array(providerProblemSchema),
});
export type ProviderTest = z.infer<typeof testProviderResponseSchema>;
