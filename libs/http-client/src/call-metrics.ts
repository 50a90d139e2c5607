import {
  errorTypeOf,
  type Histogram,
  knownMethodOf,
  type Metrics,
  NO_METRICS,
  numberOfMethod,
} from '@lintel/telemetry';

/** Measures the requests that are sent to one server. */
export interface CallMetrics {
  /** Records a request whose response has begun. */
  responded(method: string, status: number, durationMs: number): void;
  /** Records a request without a response. */
  failed(method: string, error: unknown, durationMs: number): void;
}

/** The server of calls. */
export interface CallPeer {
  /** Name of the service of the platform. */
  readonly service: string;
  /** Its configured URL; undefined if it has several. */
  readonly url?: string | undefined;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Creates the measurement of calls to one server.
 *
 * @param peer undefined for servers that users name: each name would be a further series, and is the user's data
 */
export function createCallMetrics(metrics: Metrics = NO_METRICS, peer?: CallPeer): CallMetrics {
  const series = new Map<number, Histogram>();
  const labels = labelsOf(peer);
  const create = (method: string, status: number | undefined, error: string | undefined): Histogram =>
    metrics.histogram('http.client.request.duration', {
      ...labels,
      'http.request.method': knownMethodOf(method),
      'http.response.status_code': status,
      // Nothing else is supported.
      'network.protocol.version': '1.1',
      'error.type': error,
    });
  return {
    responded(method, status, durationMs) {
      const key = numberOfMethod(method) * 1_000 + status;
      let histogram = series.get(key);
      if (histogram === undefined) {
        histogram = create(method, status, status >= 400 ? String(status) : undefined);
        series.set(key, histogram);
      }
      histogram.record(durationMs / 1_000);
    },
    failed(method, error, durationMs) {
      create(method, undefined, errorTypeOf(error)).record(durationMs / 1_000);
    },
  };
}

function labelsOf(peer: CallPeer | undefined) {
  if (peer === undefined) return {};
  const name = { 'service.peer.name': peer.service };
  if (peer.url === undefined) return name;
  const { hostname, port, protocol } = new URL(peer.url);
  return {
    ...name,
    'server.address': hostname.replace(/^\[(.*)\]$/, '$1'),
    'server.port': port === '' ? DEFAULT_PORTS[protocol] : Number(port),
    'url.scheme': protocol.slice(0, -1),
  };
}
