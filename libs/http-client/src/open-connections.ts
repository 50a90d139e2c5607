import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import type { CallMetrics } from './call-metrics.ts';

/** Status, headers and the body as a stream. The caller reads the body or discards it with `dump()`. */
export type HttpResponse = Dispatcher.ResponseData;

/** One request. */
export interface HttpCall {
  /** `GET` by default. */
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Readable;
  readonly signal?: AbortSignal;
}

export interface ConnectionOptions {
  /** Longest wait for the head of a response, and between two parts of its body. */
  readonly timeoutMs: number;
  /** A longer body ends with an error whose `code` is `UND_ERR_RES_EXCEEDED_MAX_SIZE`. No limit by default. */
  readonly maxResponseBytes?: number;
  /** How long an idle connection is kept. */
  readonly keepAliveMs?: number;
  /** How names are resolved, and how long a connection may take. */
  readonly connect?: { readonly lookup: LookupFunction; readonly timeout: number };
}

/** The connections of one client. */
export interface Connections {
  send(url: string | URL, call: HttpCall, measured: CallMetrics): Promise<HttpResponse>;
  /** Waits for requests that run, then closes. */
  close(): Promise<void>;
  /** Ends requests that run. */
  destroy(): Promise<void>;
}

/** No redirect is followed. The client library is loaded with the first request. */
export function openConnections(options: ConnectionOptions): Connections {
  const { timeoutMs, maxResponseBytes, keepAliveMs, connect } = options;
  const load = async () => {
    const { Agent, request } = await import('./request-library.ts');
    const agent: Agent = new Agent({
      // All servers that are called support HTTP/1.1, and only that is tested.
      allowH2: false,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      ...(maxResponseBytes === undefined ? {} : { maxResponseSize: maxResponseBytes }),
      ...(keepAliveMs === undefined ? {} : { keepAliveTimeout: keepAliveMs }),
      ...(connect === undefined ? {} : { connect }),
    });
    return { request, agent };
  };
  let loaded: ReturnType<typeof load> | undefined;
  return {
    async send(url, { method = 'GET', ...call }, measured) {
      loaded ??= load();
      const { request, agent } = await loaded;
      const sinceMs = performance.now();
      try {
        const response = await request(url, { ...call, method, dispatcher: agent });
        measured.responded(method, response.statusCode, performance.now() - sinceMs);
        return response;
      } catch (error) {
        measured.failed(method, error, performance.now() - sinceMs);
        throw error;
      }
    },
    close: async () => (await loaded)?.agent.close(),
    destroy: async () => (await loaded)?.agent.destroy(),
  };
}
