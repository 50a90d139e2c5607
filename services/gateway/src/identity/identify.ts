import { AUDIENCE_API } from '@lintel/contracts';
import { isPlatformError, PlatformError } from '@lintel/errors';
import {
  DESCRIPTION_EXPIRED,
  DESCRIPTION_INVALID,
  DESCRIPTION_UNAUTHORIZED,
  type PresentedToken,
  type ProofCheck,
  pathOf,
  presentedToken,
  type TokenVerifier,
} from '@lintel/http';
import type { Identity, TokenCache } from './token-cache.ts';
import { type TargetWithoutToken, takeTicketParameter, takeTokenParameter } from './token-parameter.ts';

export interface IdentifyDeps {
  readonly tokens: TokenCache;
  readonly verifier: TokenVerifier;
  /** Issuer of other tokens that auth accepts (`svc.resource-server.issuer`). */
  readonly externalIssuer?: string | undefined;
  readonly isAnonymousUrl: (path: string) => boolean;
  /** Path below which a token in the URL of a GET is refused (contract/decisions.md#37). */
  readonly servicesPrefix: string;
  /** Checks how the token is presented; undefined if the request was checked before. */
  readonly proofs?: ProofCheck | undefined;
  /** Whether tokens in URLs are accepted (`svc.security.profile`). */
  readonly acceptsTokenParameter: boolean;
}

/** The parts of a request that identify its caller. */
export interface Call {
  /** Set to the target without a token. */
  url?: string | undefined;
  readonly method?: string | undefined;
  readonly headers: {
    readonly authorization?: string | undefined;
    readonly [name: string]: string | string[] | undefined;
  };
}

/**
 * Identifies the caller. The token is taken from the `Authorization` header, else from the `access_token`
 * parameter, which is removed from the request's URL in any case. A token is checked on anonymous URLs
 * too; requests without one run as `anonymous`. A ticket counts only without a token.
 *
 * A promise only if there is something to wait for: an opaque token that is in the cache needs none.
 *
 * @param address of the client, for its limits; without it no limit applies
 * @param takesTickets whether a ticket in the URL may stand for the token; it is removed from the URL, too
 * @throws PlatformError AUTH_UNAUTHORIZED, AUTH_INVALID_TOKEN, AUTH_UNAVAILABLE, REQ_TOO_MANY_REQUESTS,
 *   REQ_INVALID_PARAMETER for a token or ticket that is given twice; as a rejection
 *   if there is a promise
 */
export function identify(
  request: Call,
  deps: IdentifyDeps,
  address?: string,
  takesTickets = false,
): Identity | Promise<Identity> {
  const { url: target, token: parameter, error } = takeTokenParameter(request.url ?? '');
  const {
    url,
    token: ticket,
    error: ticketError,
  }: TargetWithoutToken = takesTickets ? takeTicketParameter(target) : { url: target, token: undefined };
  request.url = url;
  if (error !== undefined || ticketError !== undefined) throw error ?? ticketError;
  if (
    parameter !== undefined &&
    (!deps.acceptsTokenParameter || isServiceGet(request, deps.servicesPrefix) || isApiKey(parameter))
  )
    throw unauthorized();
  const presented = presentedToken(request.headers.authorization) ?? fromParameter(parameter);
  if (presented === undefined && ticket !== undefined) return identityOfTicket(ticket, url, request, deps, address);
  if (presented === undefined) {
    if (!deps.isAnonymousUrl(url)) throw unauthorized();
    return deps.tokens.anonymous();
  }
  const { token } = presented;
  const isVerified = isJwt(token) && !isExternal(token, deps.externalIssuer);
  const identity = isVerified ? ofJwt(token, deps, address) : deps.tokens.identityOf(token, undefined, address);
  return identity instanceof Promise
    ? identity.then((found) => provePossession(found, request, presented, deps))
    : provePossession(identity, request, presented, deps);
}

/** Checks how the token is presented. */
function provePossession(
  identity: Identity,
  request: Call,
  presented: PresentedToken,
  { proofs }: IdentifyDeps,
): Identity | Promise<Identity> {
  const checking = proofs?.assertPresented(request, presented, identity.thumbprint);
  return checking === undefined ? identity : checking.then(() => identity);
}

const ofJwt = async (token: string, { tokens, verifier }: IdentifyDeps, address: string | undefined) =>
  tokens.identityOf(token, await nameOfJwt(token, verifier), address);

/** What auth makes: other texts are not sent to it. */
const TICKET = /^[\w-]{43}$/;

function identityOfTicket(
  ticket: string,
  url: string,
  { method = '' }: Call,
  { tokens }: IdentifyDeps,
  address: string | undefined,
): Promise<Identity> {
  if (method !== 'GET' && method !== 'HEAD') throw unauthorized();
  if (!TICKET.test(ticket)) throw new PlatformError('AUTH_INVALID_TOKEN', DESCRIPTION_INVALID);
  return tokens.redeem({ ticket, method, url }, address);
}

const fromParameter = (token: string | undefined): PresentedToken | undefined =>
  token === undefined || token === '' ? undefined : { scheme: 'bearer', token };

/**
 * Returns the name (`jti`) of a JWT. One that auth did not sign for clients is refused here. Whether a signed one has
 * been revoked, or its session has ended, is checked by auth; an expired one is sent to auth too, which reports the
 * expiry once (contract/tokens.md#unauthorized).
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

/** Whether a JWT names the external issuer: auth verifies it. */
function isExternal(jwt: string, externalIssuer: string | undefined): boolean {
  if (externalIssuer === undefined) return false;
  try {
    const claims: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null && 'iss' in claims && claims.iss === externalIssuer;
  } catch {
    // The text is no valid JWT.
    return false;
  }
}

const isServiceGet = (request: Call, prefix: string): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && pathOf(request.url ?? '').startsWith(`${prefix}/`);

/** URLs are stored in many logs, and keys live long. */
const isApiKey = (token: string): boolean => token.startsWith('lk_');

const unauthorized = () => new PlatformError('AUTH_UNAUTHORIZED', DESCRIPTION_UNAUTHORIZED);
