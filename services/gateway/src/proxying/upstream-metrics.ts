import { type Histogram, type Metrics, NO_METRICS } from '@lintel/telemetry';

/** Measures the responses of one service. */
export interface UpstreamMetrics {
  /** @param status of the response; undefined if there was none */
  recordResponse(durationMs: number, status: number | undefined): void;
}

export function createUpstreamMetrics(metrics: Metrics = NO_METRICS, service: string): UpstreamMetrics {
  const series = new Map<string, Histogram>();
  return {
    recordResponse(durationMs, status) {
      const statusClass = status === undefined ? 'none' : `${Math.floor(status / 100)}xx`;
      let histogram = series.get(statusClass);
      if (histogram === undefined) {
        histogram = metrics.histogram('lintel.gateway.upstream.duration', {
          service,
          'http.response.status_class': statusClass,
        });
        series.set(statusClass, histogram);
      }
      histogram.record(durationMs / 1_000);
    },
  };
}
