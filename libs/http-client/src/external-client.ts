import { isIP } from 'node:net';
import type { Metrics } from '@lintel/telemetry';
import { createCallMetrics } from './call-metrics.ts';
import { type HttpCall, type HttpResponse, openConnections } from './open-connections.ts';
import { hasBlockedPort } from './ssrf-guard/blocked-ports.ts';
import { AddressRefusedError, publicLookup } from './ssrf-guard/public-lookup.ts';

export interface ExternalClientOptions {
  /** Longest duration of a request as a whole. */
  readonly timeoutMs: number;
  /** A longer body ends with an error whose `code` is `UND_ERR_RES_EXCEEDED_MAX_SIZE`. No limit by default. */
  readonly maxResponseBytes?: number;
  /** Whether no connection may be made to an address. */
  readonly isRefused: (address: string) => boolean;
  readonly metrics?: Metrics | undefined;
}

/** Calls servers that are no part of the platform, at URLs that users or applications give. */
export interface ExternalClient {
  /**
   * Sends a request, without a token and without trace headers.
   *
   * @throws AddressRefusedError before anything is sent
   */
  send(url: URL, call: HttpCall): Promise<HttpResponse>;
  /** Waits for requests that run. */
  close(): Promise<void>;
  /** Ends requests that run. */
  destroy(): Promise<void>;
}

/**
 * The guard against server-side request forgery: addresses are checked when the connection is made, so that a name cannot
 * be resolved to another address after the check; ports of other protocols are not called, and redirects not followed.
 */
export function createExternalClient({
  timeoutMs,
  maxResponseBytes,
  isRefused,
  metrics,
}: ExternalClientOptions): ExternalClient {
  const connections = openConnections({
    timeoutMs,
    ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }),
    connect: { lookup: publicLookup(isRefused), timeout: timeoutMs },
  });
  const measured = createCallMetrics(metrics);
  return {
    async send(url, call) {
      const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
      if (hasBlockedPort(url)) throw new AddressRefusedError(`${url.host} has a port of another protocol`);
      // An address in the URL is not looked up.
      if (isIP(host) !== 0 && isRefused(host)) throw new AddressRefusedError(`${url.host} is no public address`);
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]);
      return connections.send(url, { ...call, signal }, measured);
    },
    close: () => connections.close(),
    destroy: () => connections.destroy(),
  };
}
