import type { IncomingMessage } from 'node:http';
import { type Histogram, knownMethodOf, type Metrics, numberOfMethod, serverErrorTypeOf } from '@lintel/telemetry';

/** Counts the requests of one listener. */
export interface RequestMetrics {
  begin(): void;
  /**
   * @param route a template, undefined where none matched; a path with values would create a series per value
   * @param status undefined if the client has disconnected before there was a response
   */
  end(request: IncomingMessage, route: string | undefined, status: number | undefined, durationMs: number): void;
  abort(): void;
}

/** @param listener name of the application: `data`, `data-internal` */
export function createRequestMetrics(metrics: Metrics, listener: string): RequestMetrics {
  // By route, then by a number for all other labels: finding a series creates no text.
  const series = new Map<string | undefined, Map<number, Histogram>>();
  const aborted = metrics.counter('lintel.http.aborted_requests', { listener });
  let active = 0;
  metrics.observe('http.server.active_requests', () => active, { listener });
  const seriesOf = (request: IncomingMessage, route: string | undefined, status: number | undefined): Histogram => {
    let ofRoute = series.get(route);
    if (ofRoute === undefined) {
      ofRoute = new Map();
      series.set(route, ofRoute);
    }
    const key = numberOf(request, status);
    let histogram = ofRoute.get(key);
    if (histogram === undefined) {
      histogram = metrics.histogram('http.server.request.duration', {
        listener,
        'http.request.method': knownMethodOf(request.method),
        'http.route': route,
        'http.response.status_code': status,
        'url.scheme': isEncrypted(request) ? 'https' : 'http',
        'network.protocol.version': request.httpVersion,
        'error.type': serverErrorTypeOf(status),
      });
      ofRoute.set(key, histogram);
    }
    return histogram;
  };
  return {
    begin() {
      active += 1;
    },
    end(request, route, status, durationMs) {
      active -= 1;
      // Health checks would outnumber requests.
      if (route?.startsWith('/health/') === true) return;
      seriesOf(request, route, status).record(durationMs / 1_000);
    },
    abort: () => aborted.add(1),
  };
}

const isEncrypted = (request: IncomingMessage): boolean => 'encrypted' in request.socket;

/** A different number for each method, status, version and scheme. */
const numberOf = (request: IncomingMessage, status = 0): number =>
  ((numberOfMethod(request.method) * 1_000 + status) * 10 + request.httpVersionMinor) * 2 +
  Number(isEncrypted(request));

/** Observes how many connections a server has. */
export function observeConnections(
  metrics: Metrics,
  listener: string,
  acceptors: { countConnections(): Promise<number> },
): void {
  metrics.observe('lintel.http.connections', () => acceptors.countConnections(), { listener });
}
