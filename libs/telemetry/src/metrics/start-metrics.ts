import { environment } from '@lintel/config/environment';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import {
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import { MeterProvider, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { MetricName } from './catalogue.ts';
import { MetricRegistry } from './metric-registry.ts';
import type { Metrics } from './metrics.ts';
import { observeRuntime } from './observe-runtime.ts';
import { createOtlpReader, namesCollector } from './otlp-reader.ts';
import { prometheusBaseOf, prometheusUnitOf } from './prometheus-name.ts';

/** The metrics of a process, from its start to its end. */
export interface RunningMetrics {
  readonly metrics: Metrics;
  /** The current values of all metrics in the text format of Prometheus. */
  render(): Promise<string>;
  /** Sends what is left to the collector, if there is one. */
  close(): Promise<void>;
}

/**
 * Starts to measure. Metrics can be read in the text format of Prometheus; they are also sent to an OTLP
 * collector if the standard variables of OpenTelemetry name one (`OTEL_EXPORTER_OTLP_ENDPOINT`,
 * `OTEL_METRICS_EXPORTER`, `OTEL_METRIC_EXPORT_INTERVAL`, …).
 *
 * @param serviceName name of the resource if `OTEL_SERVICE_NAME` is not set
 */
export async function startMetrics(serviceName: string): Promise<RunningMetrics> {
  const registry = new MetricRegistry();
  const metrics: Metrics = {
    counter: (name, ...[labels]) => registry.counter(name, labels),
    histogram: (name, ...[labels]) => registry.histogram(name, labels),
    observe: (name, read, ...[labels]) => registry.observe(name, read, labels),
  };
  const prometheus = new PrometheusExporter({ preventServerStart: true, metricProducers: [registry] });
  // All metrics have the same scope, so no line needs it as a label.
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  const variables = environment();
  const pushing = namesCollector(variables) ? [await createOtlpReader(variables, registry)] : [];
  // It has no instruments: it supplies the resource and connects the readers.
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }).merge(
      detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }),
    ),
    readers: [prometheus, ...pushing],
  });
  const stopObserving = observeRuntime(metrics);
  return {
    metrics,
    async render() {
      const { resourceMetrics } = await prometheus.collect();
      return serializer.serialize(inPrometheusNames(resourceMetrics));
    },
    async close() {
      stopObserving();
      await provider.shutdown();
    },
  };
}

/** The serializer of the SDK does not append units, which the standard dashboards expect in names. */
const inPrometheusNames = ({ resource, scopeMetrics }: ResourceMetrics): ResourceMetrics => ({
  resource,
  scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({
    scope,
    metrics: metrics.map((metric) => {
      const name = metric.descriptor.name as MetricName;
      return {
        ...metric,
        descriptor: { ...metric.descriptor, name: prometheusBaseOf(name), unit: prometheusUnitOf(name) },
      };
    }),
  })),
});
