import { type AccessClaims, ANONYMOUS, type Session } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { noteActor } from '@lintel/telemetry';
import type { RequestHandler } from 'express';
import { clientAddressOf } from '../requests/addresses/client-address.ts';
import { bearerToken } from '../requests/context/bearer-token.ts';
import { setPrincipal } from '../requests/context/request-state.ts';
import { chooseLocale } from '../requests/negotiation/choose-locale.ts';
import type { RouteHandler } from '../requests/routed-request.ts';
import { DESCRIPTION_INVALID, DESCRIPTION_UNAUTHORIZED } from '../responses/send-error.ts';
import { principalOfSession } from './principal-of-session.ts';
import type { StepUp } from './step-up.ts';
import type { TokenVerifier } from './token-verifier.ts';

export interface AuthenticateOptions {
  readonly verifier: TokenVerifier;
  /** Loads the session of a token; undefined if it has ended. Usually `SessionStore.load` with a cache. */
  readonly loadSession: (sessionId: string, claims: AccessClaims) => Promise<Session | undefined>;
  /** `AUDIENCE_REST` on public listeners, of files `AUDIENCE_FILE` too; `AUDIENCE_INTERNAL` on internal ones. */
  readonly audience: string | readonly string[];
  /** Scope that the token of a client needs; calls without a token have none. Undefined: no scope is required. */
  readonly scope?: string;
  /**
   * Locales of the application in underscore form, from which that of the request is chosen (contract/decisions.md#27).
   */
  readonly availableLocales?: readonly string[];
  /** Whether a path may be called without a token. Undefined: no path. */
  readonly isAnonymousUrl?: (path: string) => boolean;
  /**
   * Which requests only read: a session with which a user sees what another one sees may send no others
   * (contract/rights.md#see-as).
   * Undefined: none.
   */
  readonly isReading?: (method: string, path: string) => boolean;
  /** Which requests need a stronger or newer login. Undefined: none. */
  readonly stepUp?: StepUp;
}

/** Whether the `scope` of a token names a scope. */
const hasScope = (granted: string | undefined, scope: string): boolean =>
  granted === scope || granted?.split(' ').includes(scope) === true;

/** RFC 6750 §3.1. */
const scopeDenied = (scope: string): PlatformError =>
  new PlatformError('ACCESS_SCOPE_DENIED', `The access token needs the scope ${scope}`, {
    headers: {
      'WWW-Authenticate': `Bearer realm="oauth2-resource", error="insufficient_scope", error_description="The access token needs the scope ${scope}", scope="${scope}"`,
    },
  });

/**
 * Sets the principal of a request from the JWT in its `Authorization` header, or responds with 401 in the forms of
 * contract/tokens.md#unauthorized. Services read the header only: the gateway moves an `access_token` parameter there
 * and sends an anonymous JWT if the client sent no token. Responses are `no-store` unless a route sets `Cache-Control`
 * itself.
 */
export function identifyCaller(options: AuthenticateOptions): RouteHandler {
  const isAnonymousUrl = options.isAnonymousUrl ?? (() => false);
  return async (request, response) => {
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) throw new PlatformError('AUTH_UNAUTHORIZED', DESCRIPTION_UNAUTHORIZED);
    const claims = await options.verifier.verify(token, ...[options.audience].flat());
    if (claims.sub === ANONYMOUS && !isAnonymousUrl(request.originalUrl))
      throw new PlatformError('AUTH_UNAUTHORIZED', DESCRIPTION_UNAUTHORIZED);
    if (options.scope !== undefined && claims.sub !== ANONYMOUS && !hasScope(claims.scope, options.scope))
      throw scopeDenied(options.scope);
    const session = await options.loadSession(claims.sid, claims);
    if (session === undefined || session.username !== claims.sub)
      throw new PlatformError('AUTH_INVALID_TOKEN', DESCRIPTION_INVALID);
    if (session.seenBy !== undefined && options.isReading?.(request.method, request.originalUrl) !== true)
      throw new PlatformError('ACCESS_DENIED', 'The session is for reading what the user sees, and for nothing else');
    const locale =
      options.availableLocales === undefined
        ? session.locale
        : chooseLocale(request.headers['accept-language'], session.locale, options.availableLocales);
    const { acr, auth_time: authTime, act, file: grantedFile } = claims;
    const principal = principalOfSession(session, { locale, actingService: act?.sub, acr, authTime, grantedFile });
    options.stepUp?.({ method: request.method, path: request.originalUrl, caller: principal });
    setPrincipal(response, principal);
    noteActor(() => ({
      by: principal.username,
      byClientId: principal.clientId,
      address: clientAddressOf(request),
    }));
    response.setHeader('Cache-Control', 'no-store');
  };
}

/** The same as a middleware of Express. */
export function authenticate(options: AuthenticateOptions): RequestHandler {
  const identify = identifyCaller(options);
  return async (request, response, next) => {
    await identify(request, response);
    next();
  };
}
