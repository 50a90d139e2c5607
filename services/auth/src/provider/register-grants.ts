import { isPlatformError } from '@lintel/errors';
import type { TokenEndpointGrantContext } from 'oidc-provider';
import { DEVICE_GRANT } from '../clients/client-settings.ts';
import { OAuthFailure } from '../tokens/oauth/oauth-failure.ts';
import { authorizationCodeGrant } from './grants/authorization-code-grant.ts';
import { clientCredentialsGrant } from './grants/client-credentials-grant.ts';
import { deviceCodeGrant } from './grants/device-code-grant.ts';
import { passwordGrant } from './grants/password-grant.ts';
import { refreshTokenGrant } from './grants/refresh-token-grant.ts';
import type { TokenGrant, TokenGrantDeps } from './grants/token-grant-deps.ts';
import { factsOf } from './replayed-request.ts';

/** Registers our grants at oidc-provider, in place of its own ones of the same name. */
export function registerGrants(deps: TokenGrantDeps): void {
  const register = (name: string, params: readonly string[], grant: TokenGrant): void =>
    deps.provider.registerGrantType(name, (context) => respond(context, grant, deps), params);
  if (deps.hasPasswordGrant) register('password', ['username', 'password', 'scope'], passwordGrant);
  register('refresh_token', ['refresh_token', 'scope'], refreshTokenGrant);
  register('client_credentials', ['scope'], clientCredentialsGrant);
  register(DEVICE_GRANT, ['device_code'], deviceCodeGrant);
  register('authorization_code', ['code', 'redirect_uri', 'code_verifier'], authorizationCodeGrant);
}

async function respond(context: TokenEndpointGrantContext, grant: TokenGrant, deps: TokenGrantDeps): Promise<void> {
  const facts = factsOf(context.req);
  if (facts === undefined) throw new Error('A token request did not come through the routes');
  const param = (name: string): string | undefined => {
    const value = context.oidc.params[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  context.set('Content-Type', 'application/json;charset=UTF-8');
  context.set('Cache-Control', 'no-store');
  context.set('Pragma', 'no-cache');
  try {
    context.body = await grant({ ...facts, context, param }, deps);
  } catch (error) {
    const failure = error instanceof OAuthFailure ? error : toFailure(error, deps);
    context.status = failure.status;
    context.set({ ...failure.headers });
    context.body = JSON.stringify(failure.body);
  }
}

/**
 * The client may retry after an outage of a store or with a full queue; all other errors are defects, without details.
 */
function toFailure(error: unknown, { logger }: TokenGrantDeps): OAuthFailure {
  const isAway = isPlatformError(error) && error.status === 503;
  if (isPlatformError(error) && error.status === 429)
    return new OAuthFailure({
      status: 429,
      error: 'temporarily_unavailable',
      description: error.details,
      headers: error.headers,
    });
  logger.error({ error }, isAway ? 'a token request needs a backend that is unavailable' : 'a token request failed');
  return isAway
    ? new OAuthFailure({
        status: 503,
        error: 'temporarily_unavailable',
        description: error.details || 'Service unavailable',
        headers: { 'Retry-After': '1' },
      })
    : new OAuthFailure({ status: 500, error: 'server_error', description: 'Internal Server Error' });
}
