import { METRICS, type MetricName } from './catalogue.ts';
import type { MetricRow } from './metric-row.ts';

/** Units of UCUM that Prometheus has words for; others, in braces, say only what is counted. */
const UNITS: Readonly<Record<string, string>> = { s: 'seconds', By: 'bytes' };

/** The name of a label in the text format: `http_request_method`. */
export const plainName = (name: string): string => name.replace(/[^a-z0-9_]/gi, '_').replace(/_{2,}/g, '_');

/** The unit of a metric in Prometheus; empty if it has none. */
export function prometheusUnitOf(name: MetricName): string {
  const { unit, type }: MetricRow = METRICS[name];
  return unit === '1' && type === 'gauge' ? 'ratio' : (UNITS[unit] ?? '');
}

/** The name of a metric with its unit, as OpenTelemetry translates it; of a counter without `_total`. */
export function prometheusBaseOf(name: MetricName): string {
  const [plain, unit] = [plainName(name), prometheusUnitOf(name)];
  return unit === '' || plain.endsWith(`_${unit}`) ? plain : `${plain}_${unit}`;
}

/** The name of a metric in Prometheus; of a histogram without `_bucket`, `_sum` and `_count`. */
export const prometheusNameOf = (name: MetricName): string =>
  METRICS[name].type === 'counter' ? `${prometheusBaseOf(name)}_total` : prometheusBaseOf(name);
