import { importOptional } from '@lintel/errors';
import {
  type MetricProducer,
  type MetricReader,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import { metricsOver } from '../optional-packages.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const DEFAULT_INTERVAL_MS = 60_000;
const DEFAULT_TIMEOUT_MS = 30_000;

/** Whether the standard variables of OpenTelemetry want metrics to be sent to a collector. */
export function namesCollector(variables: Variables): boolean {
  if (variables['OTEL_SDK_DISABLED'] === 'true') return false;
  const endpoint = variables['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'] ?? variables['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  const exporters = (variables['OTEL_METRICS_EXPORTER'] ?? '').split(',').map((name) => name.trim());
  return endpoint !== '' && (exporters.includes('otlp') || exporters.join('') === '');
}

/** Sends metrics to the collector from time to time; the exporter reads its own variables. */
export async function createOtlpReader(variables: Variables, producer: MetricProducer): Promise<MetricReader> {
  const exportIntervalMillis = numberOf(variables['OTEL_METRIC_EXPORT_INTERVAL'], DEFAULT_INTERVAL_MS);
  const timeout = numberOf(variables['OTEL_METRIC_EXPORT_TIMEOUT'], DEFAULT_TIMEOUT_MS);
  const protocol = variables['OTEL_EXPORTER_OTLP_METRICS_PROTOCOL'] ?? variables['OTEL_EXPORTER_OTLP_PROTOCOL'];
  return new PeriodicExportingMetricReader({
    exporter: await createExporter(protocol),
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(timeout, exportIntervalMillis),
    metricProducers: [producer],
  });
}

/** Loads the configured exporter only: most processes use none. */
async function createExporter(protocol: string | undefined): Promise<PushMetricExporter> {
  if (protocol === 'grpc') {
    const { OTLPMetricExporter } = await importOptional(
      metricsOver('grpc'),
      () => import('@opentelemetry/exporter-metrics-otlp-grpc'),
    );
    return new OTLPMetricExporter();
  }
  if (protocol === 'http/json') {
    const { OTLPMetricExporter } = await importOptional(
      metricsOver('http'),
      () => import('@opentelemetry/exporter-metrics-otlp-http'),
    );
    return new OTLPMetricExporter();
  }
  const { OTLPMetricExporter } = await importOptional(
    metricsOver('proto'),
    () => import('@opentelemetry/exporter-metrics-otlp-proto'),
  );
  return new OTLPMetricExporter();
}

function numberOf(text: string | undefined, fallback: number): number {
  const number = Number(text);
  return text !== undefined && number > 0 ? number : fallback;
}
