import { z } from 'zod';

/*
 * Bodies of the internal listener of auth for identity providers: `POST /internal/identity-providers/list` and `…/test`.
 * The caller of it decides who may do that.
 */

export const testProviderRequestSchema = z.object({ name: z.string().min(1).max(100) });

const identityProviderSchema = z.object({
  name: z.string(),
  kind: z.enum(['openid', 'saml', 'ldap', 'token-issuer']),
  /** Text of its button on the login page; null without one. */
  title: z.string().nullable(),
  /** Members of its configuration that are set or have a default; secrets are masked. */
  settings: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Addresses of this server that the provider must know. */
  addresses: z.array(z.object({ kind: z.enum(['callback', 'logout', 'acs', 'metadata']), url: z.string() })),
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

const providerProblemSchema = z.object({
  code: z.enum(PROVIDER_PROBLEMS),
  /** A sentence for administrators. */
  message: z.string(),
});
export type ProviderProblem = z.infer<typeof providerProblemSchema>;

export const testProviderResponseSchema = z.object({
  successful: z.boolean(),
  durationMs: z.number(),
  problems: z.array(providerProblemSchema),
});
export type ProviderTest = z.infer<typeof testProviderResponseSchema>;
