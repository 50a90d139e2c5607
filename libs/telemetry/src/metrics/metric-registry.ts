import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import { METRICS, type MetricName } from './catalogue.ts';
import { BUCKETS, type MetricRow } from './metric-row.ts';
import type { Counter, Histogram } from './metrics.ts';

type Read = () => number | undefined | Promise<number | undefined>;

/** One series: its labels, and how to read its value. */
interface Series<T> {
  readonly labels: Attributes;
  read(): T | undefined | Promise<T | undefined>;
}

interface HistogramValue {
  readonly buckets: { boundaries: number[]; counts: number[] };
  readonly sum: number;
  readonly count: number;
}

/**
 * The metrics of the catalogue, aggregated here and passed to the readers of the SDK at each collection. The
 * instruments of the SDK are not used: at every call they sort, join and look up the labels, which takes microseconds,
 * and a caller cannot keep a series; a request is measured several times. Values are cumulative, for every collector.
 */
export class MetricRegistry implements MetricProducer {
  readonly #startTime = hrTimeOf(Date.now());
  readonly #counters = new Map<MetricName, Map<string, CounterSeries>>();
  readonly #histograms = new Map<MetricName, Map<string, HistogramSeries>>();
  readonly #observed = new Map<MetricName, Series<number>[]>();

  counter(name: MetricName, labels: Attributes = {}): Counter {
    return seriesOf(this.#counters, name, labels, (given) => new CounterSeries(given));
  }

  histogram(name: MetricName, labels: Attributes = {}): Histogram {
    const { buckets = 'requests' }: MetricRow = METRICS[name];
    return seriesOf(this.#histograms, name, labels, (given) => new HistogramSeries(given, BUCKETS[buckets]));
  }

  observe(name: MetricName, read: Read, labels: Attributes = {}): void {
    const series = { labels: givenOf(labels), read };
    const known = this.#observed.get(name);
    if (known === undefined) this.#observed.set(name, [series]);
    else known.push(series);
  }

  async collect(): Promise<CollectionResult> {
    const counted = [...this.#counters].map(async ([name, series]) => this.#sum(name, [...series.values()]));
    const measured = [...this.#histograms].map(async ([name, series]) =>
      this.#distribution(name, [...series.values()]),
    );
    const observed = [...this.#observed].map(async ([name, series]) =>
      METRICS[name].type === 'gauge' ? this.#gauge(name, series) : this.#sum(name, series),
    );
    const metrics = await Promise.all([...counted, ...measured, ...observed]);
    return {
      resourceMetrics: {
        resource: emptyResource(),
        // A metric none of whose series could be read is missing.
        scopeMetrics: [
          { scope: { name: 'lintel' }, metrics: metrics.filter(({ dataPoints }) => dataPoints.length > 0) },
        ],
      },
      errors: [],
    };
  }

  async #sum(name: MetricName, series: readonly Series<number>[]): Promise<MetricData> {
    const dataPoints = await this.#points(series);
    const isMonotonic = METRICS[name].type === 'counter';
    return { ...describe(name), dataPointType: DataPointType.SUM, isMonotonic, dataPoints };
  }

  async #gauge(name: MetricName, series: readonly Series<number>[]): Promise<MetricData> {
    return { ...describe(name), dataPointType: DataPointType.GAUGE, dataPoints: await this.#points(series) };
  }

  async #distribution(name: MetricName, series: readonly HistogramSeries[]): Promise<MetricData> {
    return { ...describe(name), dataPointType: DataPointType.HISTOGRAM, dataPoints: await this.#points(series) };
  }

  async #points<T>(series: readonly Series<T>[]): Promise<DataPoint<T>[]> {
    const points = series.map(async ({ labels: attributes, read }): Promise<DataPoint<T> | undefined> => {
      // What cannot be read is missing: an alert sees that, and no other series suffers.
      const value = await Promise.resolve()
        .then(read)
        .catch(() => undefined);
      if (value === undefined) return undefined;
      return { startTime: this.#startTime, endTime: hrTimeOf(Date.now()), attributes, value };
    });
    return (await Promise.all(points)).filter((point) => point !== undefined);
  }
}

class CounterSeries implements Counter, Series<number> {
  readonly labels: Attributes;
  #value = 0;
  readonly read = (): number => this.#value;

  constructor(labels: Attributes) {
    this.labels = labels;
  }

  add(amount: number): void {
    this.#value += amount;
  }
}

class HistogramSeries implements Histogram, Series<HistogramValue> {
  readonly labels: Attributes;
  readonly #boundaries: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;
  #count = 0;

  constructor(labels: Attributes, boundaries: readonly number[]) {
    this.labels = labels;
    this.#boundaries = boundaries;
    this.#counts = new Float64Array(boundaries.length + 1);
  }

  record(value: number): void {
    this.#sum += value;
    this.#count += 1;
    const boundaries = this.#boundaries;
    let at = 0;
    // Few buckets, and most values belong to the first of them.
    while (at < boundaries.length && value > (boundaries[at] as number)) at += 1;
    this.#counts[at] = (this.#counts[at] as number) + 1;
  }

  readonly read = (): HistogramValue => ({
    buckets: { boundaries: [...this.#boundaries], counts: [...this.#counts] },
    sum: this.#sum,
    count: this.#count,
  });
}

function seriesOf<S>(
  all: Map<MetricName, Map<string, S>>,
  name: MetricName,
  labels: Attributes,
  make: (labels: Attributes) => S,
): S {
  let ofName = all.get(name);
  if (ofName === undefined) {
    ofName = new Map();
    all.set(name, ofName);
  }
  const given = givenOf(labels);
  const key = JSON.stringify(Object.entries(given).sort());
  let series = ofName.get(key);
  if (series === undefined) {
    series = make(given);
    ofName.set(key, series);
  }
  return series;
}

/** Without the optional labels that the series does not have. */
const givenOf = (labels: Attributes): Attributes =>
  Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== undefined));

function describe(name: MetricName) {
  const { description, unit } = METRICS[name];
  return {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
}

const hrTimeOf = (ms: number): HrTime => [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000];
