import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setImmediate as nextPhase } from 'node:timers/promises';
import { ANONYMOUS } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import {
  bearerToken,
  challengeOf,
  cutResponse,
  pathOf,
  setRouteTemplate,
  setSessionId,
  whenClosing,
} from '@lintel/http';
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
  /** Proves to services that the gateway set the forwarding headers. */
  readonly forwardingProof: string;
  /** Time between two checks of the token of a stream. */
  readonly streamCheckIntervalMs: number;
  /** Address that the challenge of a 401 names; undefined: it names none. */
  readonly resourceMetadata?: string | undefined;
}

/** The first row of the route table that matches the path. */
export const routeOf = (routes: readonly Route[], path: string): Route | undefined =>
  routes.find((candidate) => candidate.matches(path));

/**
 * Forwards a request on its route. A promise only if there was something to wait for before the request could be
 * forwarded: nearly all requests without a body need none, and each `await` costs time and memory.
 *
 * @throws PlatformError as a rejection if there is a promise
 */
export type Forwarding = (
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
  app: RequestListener,
) => Promise<void> | void;

/** A request that is being forwarded. */
interface Transfer {
  readonly route: Route;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly forwarded: Forwarded;
}

/**
 * load → identify → limit → body → limit → headers → forward.
 *
 * `app` is the application whose end ends streams.
 */
export function createForwarding(deps: ForwardingDeps): Forwarding {
  const { identifyDeps, rateLimit, compression, proxies } = deps;

  function forwardAs(identity: Identity, transfer: Transfer): Promise<void> | void {
    const { request, response } = transfer;
    setSessionId(response, identity.sessionId);
    request.headers.authorization = `Bearer ${identity.jwt}`;
    if (request.headers['dpop'] !== undefined) delete request.headers['dpop'];
    return receive(transfer, identity.username === ANONYMOUS ? undefined : identity);
  }

  function forwardExchanged(transfer: Transfer): Promise<void> | void {
    // Not for auth: compressed together with input of the client, secrets could be inferred from the length (BREACH).
    compression.allow(transfer.request);
    const identity = identifyWithin(transfer, deps);
    if (!(identity instanceof Promise)) return forwardAs(identity, transfer);
    return identity.then((found) => (transfer.response.destroyed ? undefined : forwardAs(found, transfer)));
  }

  async function forwardStream(transfer: Transfer, app: RequestListener): Promise<void> {
    const { request, response } = transfer;
    const sent = callOf(request);
    const identity = await identifyWithin(transfer, deps);
    // The client disconnected while its token was being checked: `close` has been emitted and would end nothing.
    if (response.destroyed) return;
    const checkToken = async (): Promise<unknown> =>
      identity.isOfTicket
        ? identifyDeps.tokens.assertSession(identity.sessionId)
        : identify({ ...sent }, { ...identifyDeps, proofs: undefined });
    endWithToken(response, checkToken, {
      tokens: identifyDeps.tokens,
      intervalMs: deps.streamCheckIntervalMs,
      sessionId: identity.isOfTicket && identity.sessionId,
    });
    endWithServer(app, response);
    return forwardAs(identity, transfer);
  }

  async function forwardUnchanged(transfer: Transfer): Promise<void> {
    await rateLimit?.takeAddress(transfer.response, transfer.forwarded.address);
    // If tokens in URLs are not accepted, auth refuses the parameter itself.
    if (identifyDeps.acceptsTokenParameter) moveTokenParameter(transfer.request);
    return receive(transfer, undefined);
  }

  function receive(transfer: Transfer, caller: Identity | undefined): Promise<void> | void {
    const { request, response, forwarded } = transfer;
    const receiving = receiveBody(request, response, forwarded.address, deps);
    return receiving === undefined ? send(transfer, caller) : receiving.then(() => send(transfer, caller));
  }

  function send({ route, request, response, forwarded }: Transfer, caller: Identity | undefined): Promise<void> | void {
    if (response.destroyed) return;
    if (!route.isStream) beginRequest(response, caller, forwarded.address, deps);
    prepareHeaders(request, forwarded, deps.forwardingProof);
    const proxy = route.isStream ? proxies.streams : proxies.of[route.upstream];
    return proxy.forward(request, response, route.silenceMs);
  }

  function begin(transfer: Transfer, app: RequestListener): Promise<void> | void {
    const { tokens, isStream } = transfer.route;
    if (tokens === 'pass') return forwardUnchanged(transfer);
    return isStream ? forwardStream(transfer, app) : forwardExchanged(transfer);
  }

  return (route, request, response, app) => {
    setRouteTemplate(response, route.template);
    // Requests to auth are never refused for load: without them sessions would end, and they cause little of it.
    if (route.upstream !== 'auth') deps.load.assertFree();
    const transfer = { route, request, response, forwarded: deps.forwardedOf(request) };
    // An earlier request of the connection has no response yet. Its body has arrived; what waits for it runs first, so
    // that the requests reach the services in the order in which they were sent.
    if (response.socket === null) return nextPhase().then(() => begin(transfer, app));
    return begin(transfer, app);
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
  const forget = whenClosing(app, () => cutResponse(response));
  response.once('close', forget);
}

/** Identifies the caller and counts the request for it, or, without a valid token, for its address. */
function identifyWithin(transfer: Transfer, deps: ForwardingDeps): Identity | Promise<Identity> {
  const { route, request, forwarded } = transfer;
  let identity: Identity | Promise<Identity>;
  try {
    identity = identify(request, deps.identifyDeps, forwarded.address, route.takesTickets);
  } catch (error) {
    return refuse(error, transfer, deps);
  }
  if (!(identity instanceof Promise)) return countRequest(identity, transfer, deps);
  return identity.then(
    (found) => countRequest(found, transfer, deps),
    (error: unknown) => refuse(error, transfer, deps),
  );
}

function countRequest(
  identity: Identity,
  { response, forwarded }: Transfer,
  { rateLimit }: ForwardingDeps,
): Identity | Promise<Identity> {
  const counting =
    identity.username === ANONYMOUS
      ? rateLimit?.takeAddress(response, forwarded.address)
      : rateLimit?.takeCaller(response, identity);
  return counting === undefined ? identity : counting.then(() => identity);
}

/** Counts a request without a valid token for its address. */
async function refuse(
  error: unknown,
  { response, forwarded }: Transfer,
  { rateLimit, resourceMetadata }: ForwardingDeps,
): Promise<never> {
  if (!isPlatformError(error) || error.status !== 401) throw error;
  if (resourceMetadata !== undefined)
    error.headers['WWW-Authenticate'] ??
      response.setHeader('WWW-Authenticate', `${challengeOf(error)}, resource_metadata="${resourceMetadata}"`);
  await rateLimit?.takeAddress(response, forwarded.address);
  throw error;
}

/** Other texts cannot be sent in a header. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * Requests to auth, too, have their token only in the header. Of the paths of auth only `/logout` accepts it in the URL:
 * tokens of SCIM and of registrations live long, and URLs are in many logs.
 */
function moveTokenParameter(request: IncomingMessage): void {
  const { url, token, error } = takeTokenParameter(request.url ?? '');
  request.url = url;
  if (error !== undefined) throw error;
  if (token === undefined || pathOf(url) !== '/logout') return;
  if (TOKEN.test(token) && bearerToken(request.headers.authorization) === undefined)
    request.headers.authorization ??= `Bearer ${token}`;
}

function prepareHeaders(request: IncomingMessage, forwarded: Forwarded, proof: string): void {
  const { headers } = request;
  removeHopByHop(headers);
  if (headers.connection !== undefined) delete headers.connection;
  // Applies to this connection; the body of the request asks the service (`RequestBody`).
  if (headers.expect !== undefined) delete headers.expect;
  setForwardedHeaders(headers, forwarded, proof);
  // Applications may build URLs from `Host`, too.
  if (forwarded.isReplaced === true) headers.host = forwarded.host;
  // Without a valid `traceparent`, `tracestate` has no meaning (W3C Trace Context §3.3).
  if (headers['tracestate'] !== undefined && parseTraceparent(String(headers['traceparent'] ?? '')) === undefined)
    delete headers['tracestate'];
  const traceparent = traceparentOf();
  if (traceparent !== undefined) headers['traceparent'] = traceparent;
}
