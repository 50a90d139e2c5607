import { AUDIENCE_REST } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { bearerToken, DESCRIPTION_INVALID, DESCRIPTION_UNAUTHORIZED, type TokenVerifier } from '@lintel/http';
import type { Request } from 'express';
import type { RevokedTokens } from './revoked-tokens.ts';
import { type Identity, type TokenCache, tokenHashOf } from './token-cache.ts';
import { takeTokenParameter } from './token-parameter.ts';

export interface IdentifyDeps {
  readonly cache: TokenCache;
  readonly verifier: TokenVerifier;
  readonly revoked: RevokedTokens;
  readonly isAnonymousUrl: (path: string) => boolean;
  /** Path below which a token in the URL of a GET is refused (decisions.md 37). */
  readonly servicesPrefix: string;
  /** Whether a token in a URL counts at all (`svc.security.profile`). */
  readonly acceptsTokenParameter: boolean;
}

/**
 * Finds out who calls. The token is taken from the `Authorization` header, else from the `access_token`
 * parameter, which is removed from the request's URL in any case. A token is checked on anonymous URLs
 * too; without one they run as `anonymous`.
 *
 * @throws PlatformError AUTH_UNAUTHORIZED, AUTH_INVALID_TOKEN, AUTH_UNAVAILABLE
 */
export async function identify(request: Request, deps: IdentifyDeps): Promise<Identity> {
  const { url, token: parameter } = takeTokenParameter(request.url);
  request.url = url;
  if (parameter !== undefined && (!deps.acceptsTokenParameter || isServiceGet(request, deps.servicesPrefix)))
    throw unauthorized();
  const token = bearerToken(request.headers.authorization) ?? (parameter === '' ? undefined : parameter);
  if (token === undefined) {
    if (!deps.isAnonymousUrl(url)) throw unauthorized();
    return deps.cache.anonymous();
  }
  return isJwt(token) ? verifiedIdentity(token, deps) : deps.cache.identityOf(token);
}

/** A client that holds a JWT of its own: checked here and again by the service. */
async function verifiedIdentity(token: string, deps: IdentifyDeps): Promise<Identity> {
  const claims = await deps.verifier.verify(token, AUDIENCE_REST);
  if (deps.revoked.has(tokenHashOf(token), claims.sid))
    throw new PlatformError('AUTH_INVALID_TOKEN', DESCRIPTION_INVALID);
  return { jwt: token, username: claims.sub };
}

const isJwt = (token: string): boolean => /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(token);

const isServiceGet = (request: Request, prefix: string): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && request.path.startsWith(`${prefix}/`);

const unauthorized = () => new PlatformError('AUTH_UNAUTHORIZED', DESCRIPTION_UNAUTHORIZED);
