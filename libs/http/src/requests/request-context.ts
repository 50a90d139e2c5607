import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { Request, Response } from 'express';
import { principalOf, traceOf } from './request-state.ts';

/** What an operation gets to know of the request it serves. Made by the edge; no Express type shows. */
export interface RequestContext {
  readonly principal: Principal;
  /** Trace id, also in the `X-Trace-Id` header and on every log line. */
  readonly traceId: string;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** `Accept-Language` as sent, or undefined. */
  readonly acceptLanguage: string | undefined;
}

/**
 * The context of a request that `authenticate` let through.
 *
 * @throws PlatformError AUTH_UNAUTHORIZED where no principal was set
 */
export function contextOf(request: Request, response: Response): RequestContext {
  const principal = principalOf(response);
  if (principal === undefined) throw new PlatformError('AUTH_UNAUTHORIZED');
  return {
    principal,
    traceId: traceOf(response)?.traceId ?? '',
    signal: disconnectSignal(response),
    acceptLanguage: request.headers['accept-language'],
  };
}

/** A signal that aborts when the connection closes before the answer is complete. */
export function disconnectSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  const onClose = () => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.closed) onClose();
  else response.once('close', onClose);
  return controller.signal;
}
