import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Replica } from '../upstreams/replica.ts';
import type { ConnectionLease } from '../upstreams/upstream.ts';
import { acquireLease, attempt } from './exchange.ts';
import { canSendDirectly, createDirectTransport, type DirectOptions } from './send-directly.ts';
import { createInProcessTransport } from './send-in-process.ts';
import { createStreamingTransport, type StreamingOptions } from './stream-through-proxy.ts';
import { noAddress, tooBusy } from './upstream-error.ts';

export interface ProxyOptions extends StreamingOptions, DirectOptions {
  /** Whether all requests are streamed, whether their body has arrived or not. */
  readonly isAlwaysStreamed: boolean;
  /** The service, where it is in this process. */
  readonly service?: RequestListener | undefined;
}

const NONE: ReadonlySet<Replica> = new Set();

export interface UpstreamProxy {
  /**
   * Forwards a request whose headers are ready; responds with 502, 503 or 504 if no replica does.
   *
   * @param silenceMs maximum time without a byte from the service; then 504
   */
  forward(request: IncomingMessage, response: ServerResponse, silenceMs: number): Promise<void> | void;
}

/**
 * A proxy to the replicas of one service over kept-alive connections. Most requests are sent directly
 * (`send-directly.ts`); others, and all requests of some services, are streamed (`stream-through-proxy.ts`). A service
 * of this process gets them without a connection (`send-in-process.ts`).
 */
export function createProxy(options: ProxyOptions): UpstreamProxy {
  const direct = createDirectTransport(options);
  const streaming = createStreamingTransport(options);
  const inProcess = options.service && createInProcessTransport(options.service, options);
  const begin = (
    request: IncomingMessage,
    response: ServerResponse,
    silenceMs: number,
    lease: ConnectionLease,
  ): Promise<void> | void => {
    const isDirect = !options.isAlwaysStreamed && canSendDirectly(request);
    const startedAtMs = performance.now();
    return attempt({
      request,
      response,
      silenceMs,
      send: inProcess ?? (isDirect ? direct : streaming(request, response)),
      body: undefined,
      tried: NONE,
      lease,
      startedAtMs,
      attemptedAtMs: startedAtMs,
      attempts: 0,
      sent: 0,
      wasConnected: false,
      wasReused: false,
      hasResponded: false,
    });
  };
  return {
    forward(request, response, silenceMs) {
      // Without a promise in the usual case.
      const free = options.upstream.acquireFree(NONE);
      if (free !== undefined) return begin(request, response, silenceMs, free);
      return acquireLease(response, NONE, options).then((lease) => {
        if (lease === undefined) throw noAddress(options.name);
        if (lease === 'busy') throw tooBusy(options.name);
        if (response.destroyed) return lease.release();
        return begin(request, response, silenceMs, lease);
      });
    },
  };
}
