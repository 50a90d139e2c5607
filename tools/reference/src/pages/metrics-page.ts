import { METRICS, type MetricName, type MetricRow, plainName, prometheusNameOf } from '@lintel/telemetry';

const HEAD = `# Metrics

<!-- Generated from \`libs/telemetry/src/metrics\` by tools/reference; do not edit. -->

Every process serves \`GET /metrics\` of its management listener with them in the text format of Prometheus, and sends them to an OTLP collector where one is named: [Observability](../guide/observability.md) says how. In OTLP the names have dots (\`http.server.request.duration\`), labels too, and no unit. A histogram has the series \`_bucket\`, \`_sum\` and \`_count\`; \`s\` are seconds, \`By\` bytes, \`1\` is a share, and words in braces say what is counted. \`http_*\`, \`db_client_*\`, \`messaging_*\`, \`nodejs_*\`, \`v8js_*\` and \`process_*\` are metrics of the [semantic conventions](https://opentelemetry.io/docs/specs/semconv/) of OpenTelemetry, except \`process_memory_external_bytes\`.

A metric appears with its first value; a service has those of its own work only. No label holds an id, a name of a user or a value of a request.

| Metric | Type | Unit | Labels | Meaning |
|---|---|---|---|---|
`;

/** The text of \`docs/reference/metrics.md\`. */
export const metricsPage = (): string =>
  HEAD +
  (Object.entries(METRICS) as [MetricName, MetricRow][])
    .map(
      ([name, row]) =>
        `| ${[`\`${prometheusNameOf(name)}\``, typeOf(row), unitOf(row), labelsOf(row), row.description].join(' | ')} |\n`,
    )
    .join('');

/** Prometheus has no type of its own for counts that rise and fall. */
const typeOf = ({ type }: MetricRow): string => (type === 'updown' ? 'gauge' : type);
const unitOf = ({ unit }: MetricRow): string => unit.replace(/[{}]/g, '');
const labelsOf = ({ labels }: MetricRow): string =>
  labels.length === 0 ? '–' : labels.map((label) => `\`${plainName(label)}\``).join(', ');
