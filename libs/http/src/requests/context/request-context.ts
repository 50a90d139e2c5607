import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { bearerToken } from './bearer-token.ts';
import { principalOf, traceOf } from './request-state.ts';

/** The data of a request that is passed to an operation. Created by the route; it has no types of Express. */
export interface RequestContext {
  readonly principal: Principal;
  /** The JWT of the caller, for calls of other services. */
  readonly token: string;
  /** Trace id, also in the `X-Trace-Id` header and on every log line. */
  readonly traceId: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** `Accept-Language` as sent, or undefined. */
  readonly acceptLanguage: string | undefined;
}

/**
 * The context of a request that `authenticate` has accepted.
 *
 * @throws PlatformError AUTH_UNAUTHORIZED if no principal was set
 */
export function contextOf(request: Pick<IncomingMessage, 'headers'>, response: ServerResponse): RequestContext {
  const principal = principalOf(response);
  if (principal === undefined) throw new PlatformError('AUTH_UNAUTHORIZED');
  return {
    principal,
    token: bearerToken(request.headers.authorization) ?? '',
    traceId: traceOf(response)?.traceId ?? '',
    signal: disconnectSignal(response),
    acceptLanguage: request.headers['accept-language'],
  };
}

/** A signal that aborts when the connection closes before the response is complete. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const onClose = () => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.closed) onClose();
  else response.once('close', onClose);
  return controller.signal;
}
