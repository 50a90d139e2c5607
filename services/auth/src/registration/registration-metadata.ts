import { visibleName } from '@lintel/contracts';
import { z } from 'zod';
import type { ClientView } from '../clients/stored/administer-clients.ts';
import { redirectProblem } from '../clients/stored/redirect-problem.ts';
import { OAuthFailure } from '../tokens/oauth/oauth-failure.ts';

/** Where clients are registered (RFC 7591). */
export const REGISTRATION_PATH = '/oauth2/register';

/** Grants of users: a registered client has no roles of its own. */
const GRANTS = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'] as const;
const METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const;

/**
 * Metadata of RFC 7591 that have an effect. Others are ignored, as the RFC demands: none that would be shown to users
 * besides the name, and no address from which this server would load something.
 */
const registrationSchema = z.object({
  redirect_uris: z.array(z.string()).default([]),
  token_endpoint_auth_method: z.enum(METHODS).default('client_secret_basic'),
  grant_types: z.array(z.enum(GRANTS)).default(['authorization_code']),
  response_types: z.array(z.literal('code')).optional(),
  client_name: visibleName(100).optional(),
  scope: z.string().max(1_000).optional(),
  jwks: z.record(z.string(), z.unknown()).optional(),
  jwks_uri: z.never('is not supported: send jwks').optional(),
  post_logout_redirect_uris: z.array(z.string()).default([]),
});

/** The client of a registration in the form of `ClientAdministration`. */
export function clientFromRegistration(body: unknown, scopes: readonly string[]): object {
  const parsed = registrationSchema.safeParse(body);
  if (!parsed.success) throw refusalOf(parsed.error.issues);
  const metadata = parsed.data;
  for (const uri of metadata.redirect_uris) {
    const problem = redirectProblem(uri);
    if (problem !== undefined) throw failure('invalid_redirect_uri', `redirect_uris: ${problem}`);
  }
  const asked = metadata.scope?.split(' ').filter((scope) => scope !== '') ?? scopes;
  const foreign = asked.filter((scope) => !scopes.includes(scope) && !STANDARD.has(scope));
  if (foreign.length > 0) throw invalidMetadata(`scope: not available: ${foreign.join(' ')}`);
  const own = asked.filter((scope) => scopes.includes(scope));
  return {
    name: metadata.client_name,
    authenticationMethods: [metadata.token_endpoint_auth_method],
    grantTypes: metadata.grant_types,
    redirectUris: metadata.redirect_uris,
    postLogoutRedirectUris: metadata.post_logout_redirect_uris,
    scopes: own,
    jwks: metadata.jwks,
    // No administrator has examined the client: its users decide.
    requireAuthorizationConsent: true,
    reuseRefreshTokens: metadata.token_endpoint_auth_method === 'none' ? undefined : false,
  };
}

/** Every client may ask for them. */
const STANDARD: ReadonlySet<string> = new Set(['openid', 'offline_access', 'profile', 'email']);

/** The metadata of a stored client in the form of RFC 7591. */
export function registrationOf(client: ClientView): Record<string, unknown> {
  const { clientId, name, grantTypes, redirectUris, postLogoutRedirectUris, scopes, jwks, createdAt } = client;
  const [method] = client['authenticationMethods'] as readonly string[];
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(Date.parse(String(createdAt)) / 1000),
    ...(name === undefined ? {} : { client_name: name }),
    redirect_uris: redirectUris,
    post_logout_redirect_uris: postLogoutRedirectUris,
    grant_types: grantTypes,
    response_types: (grantTypes as readonly string[]).includes('authorization_code') ? ['code'] : [],
    token_endpoint_auth_method: method,
    ...(Array.isArray(scopes) ? { scope: scopes.join(' ') } : {}),
    ...(jwks === undefined ? {} : { jwks }),
  };
}

function refusalOf(issues: readonly z.core.$ZodIssue[]): OAuthFailure {
  const text = issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  const isRedirect = issues.some(({ path }) => path[0] === 'redirect_uris');
  return failure(isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata', text.join('; '));
}

const failure = (error: string, description: string): OAuthFailure =>
  new OAuthFailure({ status: 400, error, description });

/** The refusal of metadata (RFC 7591 §3.2.2). */
export const invalidMetadata = (description: string): OAuthFailure => failure('invalid_client_metadata', description);
