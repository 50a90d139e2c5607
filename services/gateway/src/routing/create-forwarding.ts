import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ANONYMOUS } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import { bearerToken, challengeOf, setRouteTemplate, setSessionId, whenClosing } from '@lintel/http';
import { parseTraceparent, traceparentOf } from '@lintel/telemetry';
import type { Compression } from '../compression/create-compression.ts';
import type { Forwarded } from '../forwarded/create-forwarded-reader.ts';
import { setForwardedHeaders } from '../forwarded/set-forwarded-headers.ts';
import { endWithToken } from '../identity/end-with-token.ts';
import { type Call, type IdentifyDeps, identify } from '../identity/identify.ts';
import type { Identity } from '../identity/token-cache.ts';
import { takeTokenParameter } from '../identity/token-parameter.ts';
import type { ConcurrentRequests } from '../limits/concurrent-requests.ts';
import type { EventLoopLoad } from '../limits/event-loop-load.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { receiveBody } from '../limits/receive-body.ts';
import type { SlowReaders } from '../limits/slow-readers.ts';
import type { Proxies } from '../proxying/create-proxies.ts';
import { removeHopByHop } from '../proxying/hop-by-hop.ts';
import type { Route } from './routes.ts';

export interface ForwardingDeps {
  readonly identifyDeps: IdentifyDeps;
  readonly rateLimit: RateLimit | undefined;
  readonly load: Pick<EventLoopLoad, 'assertFree'>;
  readonly requests: ConcurrentRequests;
  readonly slowReaders: Pick<SlowReaders, 'watch' | 'forget'>;
  /** Maximum wait for a body. */
  readonly bodyTimeoutMs: number;
  readonly compression: Compression;
  readonly proxies: Proxies;
  readonly forwardedOf: (request: IncomingMessage) => Forwarded;
  /** Time between two checks of the token of a stream. */
  readonly streamCheckIntervalMs: number;
  /** Address that the challenge of a 401 names; undefined: it names none. */
  readonly resourceMetadata?: string | undefined;
}

/** The first row of the route table that matches the path. */
export const routeOf = (routes: readonly Route[], path: string): Route | undefined =>
  routes.find((candidate) => candidate.matches(path));

/** Forwards a request on its route. */
export type Forwarding = (
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
  app: RequestListener,
) => Promise<void>;

/**
 * load → identify → limit → body → limit → headers → forward.
 *
 * `app` is the application whose end ends streams.
 */
export function createForwarding(deps: ForwardingDeps): Forwarding {
  const { identifyDeps, rateLimit, compression, proxies, forwardedOf } = deps;
  return async (route, request, response, app) => {
    setRouteTemplate(response, route.template);
    // Requests to auth are never refused for load: without them sessions would end, and they cause little of it.
    if (route.upstream !== 'auth') deps.load.assertFree();
    const forwarded = forwardedOf(request);
    let caller: Identity | undefined;
    if (route.tokens === 'exchange') {
      const sent = route.isStream && callOf(request);
      const identity = await identifyWithin(route, request, response, forwarded.address, deps);
      // The client disconnected while its token was being checked: `close` has been emitted and would end nothing.
      if (response.destroyed) return;
      setSessionId(response, identity.sessionId);
      if (identity.username !== ANONYMOUS) caller = identity;
      request.headers.authorization = `Bearer ${identity.jwt}`;
      if (request.headers['dpop'] !== undefined) delete request.headers['dpop'];
      // Not for auth: compressed together with input of the client, secrets could be inferred from the length (BREACH).
      if (sent === undefined) compression.allow(request);
      else {
        const checkToken = (): Promise<unknown> =>
          identity.isOfTicket
            ? identifyDeps.tokens.assertSession(identity.sessionId)
            : identify({ ...sent }, { ...identifyDeps, proofs: undefined });
        endWithToken(response, checkToken, {
          tokens: identifyDeps.tokens,
          intervalMs: deps.streamCheckIntervalMs,
          sessionId: identity.isOfTicket && identity.sessionId,
        });
        endWithServer(app, response);
      }
    } else {
      await rateLimit?.takeAddress(response, forwarded.address);
      // If tokens in URLs are not accepted, auth refuses the parameter itself.
      if (identifyDeps.acceptsTokenParameter) moveTokenParameter(request);
    }
    const receiving = receiveBody(request, response, forwarded.address, deps);
    if (receiving !== undefined) await receiving;
    if (response.destroyed) return;
    if (!route.isStream) beginRequest(response, caller, forwarded.address, deps);
    prepareHeaders(request, forwarded);
    const proxy = route.isStream ? proxies.streams : proxies.of[route.upstream];
    return proxy.forward(request, response, route.silenceMs);
  };
}

/**
 * Counts the request for its caller, or, without a valid token, for its address, until the response closes. Bodies
 * that arrive slowly are counted separately, so that they do not use up the limit of their address.
 */
function beginRequest(
  response: ServerResponse,
  caller: Identity | undefined,
  address: string,
  { requests, slowReaders }: ForwardingDeps,
): void {
  const end = caller === undefined ? requests.beginOfAddress(address) : requests.beginOfCaller(caller);
  const watched = slowReaders.watch(response);
  response.on('close', () => {
    end();
    slowReaders.forget(watched);
  });
}

/** A copy of the data that identifies the caller, made before the token of the client is replaced. */
const callOf = ({ url, method, headers: { authorization } }: IncomingMessage): Call => ({
  url,
  method,
  headers: authorization === undefined ? {} : { authorization },
});

/** A server that closes does not wait for streams: it destroys them. */
function endWithServer(app: RequestListener, response: ServerResponse): void {
  const forget = whenClosing(app, () => response.destroy());
  response.once('close', forget);
}

/** Identifies the caller and counts the request for it, or, without a valid token, for its address. */
async function identifyWithin(
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
  address: string,
  { rateLimit, identifyDeps, resourceMetadata }: ForwardingDeps,
): Promise<Identity> {
  let identity: Identity;
  try {
    identity = await identify(request, identifyDeps, address, route.takesTickets);
  } catch (error) {
    if (!isPlatformError(error) || error.status !== 401) throw error;
    if (resourceMetadata !== undefined)
      error.headers['WWW-Authenticate'] ??
        response.setHeader('WWW-Authenticate', `${challengeOf(error)}, resource_metadata="${resourceMetadata}"`);
    await rateLimit?.takeAddress(response, address);
    throw error;
  }
  if (rateLimit === undefined) return identity;
  if (identity.username === ANONYMOUS) await rateLimit.takeAddress(response, address);
  else {
    const taking = rateLimit.takeCaller(response, identity);
    if (taking !== undefined) await taking;
  }
  return identity;
}

/** Other texts cannot be sent in a header. */
const TOKEN = /^[\x21-\x7e]+$/;

/** Requests to auth, too, have their token only in the header. */
function moveTokenParameter(request: IncomingMessage): void {
  const { url, token } = takeTokenParameter(request.url ?? '');
  request.url = url;
  if (token !== undefined && TOKEN.test(token) && bearerToken(request.headers.authorization) === undefined)
    request.headers.authorization ??= `Bearer ${token}`;
}

function prepareHeaders(request: IncomingMessage, forwarded: Forwarded): void {
  const { headers } = request;
  removeHopByHop(headers);
  if (headers.connection !== undefined) delete headers.connection;
  // This server has already responded with 100.
  if (headers.expect !== undefined) delete headers.expect;
  setForwardedHeaders(headers, forwarded);
  // Applications may build URLs from `Host`, too.
  if (forwarded.isReplaced === true) headers.host = forwarded.host;
  // Without a valid `traceparent`, `tracestate` has no meaning (W3C Trace Context §3.3).
  if (headers['tracestate'] !== undefined && parseTraceparent(String(headers['traceparent'] ?? '')) === undefined)
    delete headers['tracestate'];
  const traceparent = traceparentOf();
  if (traceparent !== undefined) headers['traceparent'] = traceparent;
}
