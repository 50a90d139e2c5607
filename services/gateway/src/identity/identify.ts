import { AUDIENCE_API } from '@lintel/contracts';
import { isPlatformError, PlatformError } from '@lintel/errors';
import { bearerToken, DESCRIPTION_EXPIRED, DESCRIPTION_UNAUTHORIZED, type TokenVerifier } from '@lintel/http';
import type { Request } from 'express';
import type { Identity, TokenCache } from './token-cache.ts';
import { takeTokenParameter } from './token-parameter.ts';

export interface IdentifyDeps {
  readonly tokens: TokenCache;
  readonly verifier: TokenVerifier;
  readonly isAnonymousUrl: (path: string) => boolean;
  /** Path below which a token in the URL of a GET is refused (contract/decisions.md#37). */
  readonly servicesPrefix: string;
  /** Whether a token in a URL counts at all (`svc.security.profile`). */
  readonly acceptsTokenParameter: boolean;
}

/** What of a request tells who calls. */
export type Call = Pick<Request, 'url' | 'method' | 'path'> & {
  readonly headers: { readonly authorization?: string | undefined };
};

/**
 * Finds out who calls. The token is taken from the `Authorization` header, else from the `access_token`
 * parameter, which is removed from the request's URL in any case. A token is checked on anonymous URLs
 * too; without one they run as `anonymous`.
 *
 * @param address the client's, for its limits; without it none apply
 * @throws PlatformError AUTH_UNAUTHORIZED, AUTH_INVALID_TOKEN, AUTH_UNAVAILABLE, REQ_TOO_MANY_REQUESTS
 */
export async function identify(request: Call, deps: IdentifyDeps, address?: string): Promise<Identity> {
  const { url, token: parameter } = takeTokenParameter(request.url);
  request.url = url;
  if (parameter !== undefined && (!deps.acceptsTokenParameter || isServiceGet(request, deps.servicesPrefix)))
    throw unauthorized();
  const token = bearerToken(request.headers.authorization) ?? (parameter === '' ? undefined : parameter);
  if (token === undefined) {
    if (!deps.isAnonymousUrl(url)) throw unauthorized();
    return deps.tokens.anonymous();
  }
  const name = isJwt(token) ? await nameOfJwt(token, deps.verifier) : undefined;
  return deps.tokens.identityOf(token, name, address);
}

/**
 * A JWT that auth did not sign for clients never gets as far as auth. Whether one that it did sign has been
 * revoked, or its session has ended, auth knows; that one has expired it tells once (contract/tokens.md#unauthorized).
 */
async function nameOfJwt(jwt: string, verifier: TokenVerifier): Promise<string | undefined> {
  try {
    return (await verifier.verify(jwt, AUDIENCE_API)).jti;
  } catch (error) {
    if (isPlatformError(error) && error.details === DESCRIPTION_EXPIRED) return undefined;
    throw error;
  }
}

const isJwt = (token: string): boolean => /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(token);

const isServiceGet = (request: Call, prefix: string): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && request.path.startsWith(`${prefix}/`);

const unauthorized = () => new PlatformError('AUTH_UNAUTHORIZED', DESCRIPTION_UNAUTHORIZED);
