import type { Histogram, Metrics } from '@lintel/telemetry';
import type { Acceptors } from '../server/open-acceptors.ts';

/** Counts the requests of one listener. */
export interface RequestMetrics {
  begin(): void;
  /** @param route a template; a path with values would create a series per value */
  end(method: string, route: string, status: number, durationMs: number): void;
  abort(): void;
}

/** Other methods, which clients can choose freely, share one series. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** @param listener name of the application: `data`, `data-internal` */
export function createRequestMetrics(metrics: Metrics, listener: string): RequestMetrics {
  const series = new Map<string, Histogram>();
  const aborted = metrics.counter('lintel.http.aborted_requests', { listener });
  let active = 0;
  metrics.observe('http.server.active_requests', () => active, { listener });
  return {
    begin() {
      active += 1;
    },
    end(method, route, status, durationMs) {
      active -= 1;
      // Health checks would outnumber requests.
      if (route.startsWith('/health/')) return;
      const key = `${method} ${Math.floor(status / 100)} ${route}`;
      let histogram = series.get(key);
      if (histogram === undefined) {
        histogram = metrics.histogram('http.server.request.duration', {
          listener,
          'http.request.method': METHODS.has(method) ? method : '_OTHER',
          'http.route': route,
          'http.response.status_class': `${Math.floor(status / 100)}xx`,
        });
        // Clients choose methods freely: other ones must not make this map grow.
        if (METHODS.has(method)) series.set(key, histogram);
      }
      histogram.record(durationMs / 1_000);
    },
    abort: () => aborted.add(1),
  };
}

/** Observes how many connections a server has. */
export function observeConnections(
  metrics: Metrics,
  listener: string,
  acceptors: Pick<Acceptors, 'countConnections'>,
): void {
  metrics.observe('lintel.http.connections', () => acceptors.countConnections(), { listener });
}
