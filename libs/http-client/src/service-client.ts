import { actorHeaders, type Metrics, traceHeaders } from '@lintel/telemetry';
import { type CallMetrics, createCallMetrics } from './call-metrics.ts';
import { type ConnectionOptions, type HttpCall, type HttpResponse, openConnections } from './open-connections.ts';
import { createReplicaCaller } from './replicas/call-replicas.ts';

export interface ServiceClientOptions extends ConnectionOptions {
  /** Name of the called service, in metrics. */
  readonly service: string;
  readonly metrics: Metrics | undefined;
}

/** A request to another service of the platform. */
export interface ServiceCall extends HttpCall {
  /** Sent as the bearer token: a token of the caller, or the secret of the internal listeners. */
  readonly token: string;
  /** Sent as the body, as JSON. */
  readonly json?: unknown;
}

/** A response whose body has been read as a whole. */
export interface JsonResponse {
  readonly status: number;
  /** Undefined where the body is empty, or is no JSON in a response that is no 2xx. */
  readonly body: unknown;
}

/** Calls another service of the platform, at any of its replicas. */
export interface ServiceClient {
  /**
   * Sends a request. Where the connection fails it is sent to the next replica, or once more to the only one; a body that
   * is a stream is sent once.
   *
   * @param path with the query string
   */
  send(path: string, call: ServiceCall): Promise<HttpResponse>;
  /** Sends a request and reads the body; `timeoutMs` limits each attempt as a whole. */
  sendJson(path: string, call: ServiceCall): Promise<JsonResponse>;
  /** Waits for requests that run. */
  close(): Promise<void>;
}

/** @param urls internal listeners of the replicas of the service */
export function createServiceClient(urls: readonly string[], options: ServiceClientOptions): ServiceClient {
  const connections = openConnections(options);
  const callReplica = createReplicaCaller(urls);
  const { service, metrics } = options;
  const measured = new Map(urls.map((url) => [url, createCallMetrics(metrics, { service, url })]));
  const sendOnce = (url: string, path: string, { token, json, ...call }: ServiceCall): Promise<HttpResponse> =>
    connections.send(
      `${url}${path}`,
      {
        ...call,
        headers: {
          ...call.headers,
          authorization: `Bearer ${token}`,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...traceHeaders(),
          ...actorHeaders(),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      },
      measured.get(url) as CallMetrics,
    );
  return {
    send: (path, call) =>
      callReplica((url) => sendOnce(url, path, call), {
        isRepeatable: call.body === undefined || typeof call.body === 'string',
      }),
    sendJson: (path, call) =>
      callReplica(async (url) => {
        const timeout = AbortSignal.timeout(options.timeoutMs);
        const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]);
        return readJson(await sendOnce(url, path, { ...call, signal }));
      }),
    close: () => connections.close(),
  };
}

async function readJson({ statusCode, headers, body }: HttpResponse): Promise<JsonResponse> {
  const text = await body.text();
  const isSuccess = statusCode >= 200 && statusCode < 300;
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(String(headers['content-type'] ?? ''));
  return { status: statusCode, body: text !== '' && (isSuccess || isJson) ? JSON.parse(text) : undefined };
}
