import { METRICS, type MetricName } from './catalogue.ts';

/** The name of a metric, or of a label, in the text format: `http_server_request_duration`. */
export const plainName = (name: string): string => name.replace(/[^a-z0-9_]/gi, '_').replace(/_{2,}/g, '_');

/** The name of a metric in Prometheus; of a histogram without `_bucket`, `_sum` and `_count`. */
export const prometheusNameOf = (name: MetricName): string =>
  METRICS[name].type === 'counter' ? `${plainName(name)}_total` : plainName(name);
