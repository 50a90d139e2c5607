import type { Attributes, Counter, Histogram, Meter, Observable } from '@opentelemetry/api';
import { METRICS, type MetricName, type ObservedName } from './catalogue.ts';
import { BUCKETS, type MetricRow } from './metric-row.ts';
import type { Metrics } from './metrics.ts';

/** The metrics of the catalogue over one meter: each is made once, however many series it has. */
export function createMetrics(meter: Meter): Metrics {
  const counters = onceFor((name) => meter.createCounter(name, optionsOf(name)));
  const histograms = onceFor((name) => meter.createHistogram(name, optionsOf(name)));
  const observed = onceFor((name) => createObserved(meter, name));
  return {
    counter(name, ...[labels]) {
      const counter: Counter = counters(name);
      return { add: (amount) => counter.add(amount, labels as Attributes | undefined) };
    },
    histogram(name, ...[labels]) {
      const histogram: Histogram = histograms(name);
      return { record: (value) => histogram.record(value, labels as Attributes | undefined) };
    },
    observe(name, read, ...[labels]) {
      observed(name).add(labels as Attributes | undefined, read);
    },
  };
}

type Read = () => number | undefined | Promise<number | undefined>;

/** One observable instrument with all its series: the SDK wants to be told them in one go. */
interface ObservedSeries {
  add(labels: Attributes | undefined, read: Read): void;
}

function createObserved(meter: Meter, name: MetricName): ObservedSeries {
  const { type } = METRICS[name as ObservedName];
  const instrument: Observable =
    type === 'counter'
      ? meter.createObservableCounter(name, optionsOf(name))
      : meter.createObservableGauge(name, optionsOf(name));
  const series: { readonly labels: Attributes | undefined; readonly read: Read }[] = [];
  instrument.addCallback(async (result) => {
    await Promise.all(
      series.map(async ({ labels, read }) => {
        // What cannot be read is missing: an alert sees that, and no other series suffers.
        const value = await Promise.resolve()
          .then(read)
          .catch(() => undefined);
        if (value !== undefined) result.observe(value, labels);
      }),
    );
  });
  return { add: (labels, read) => void series.push({ labels, read }) };
}

function optionsOf(name: MetricName) {
  const { description, unit, buckets }: MetricRow = METRICS[name];
  return {
    description,
    unit,
    ...(buckets !== undefined && { advice: { explicitBucketBoundaries: [...BUCKETS[buckets]] } }),
  };
}

function onceFor<Instrument>(make: (name: MetricName) => Instrument): (name: MetricName) => Instrument {
  const made = new Map<MetricName, Instrument>();
  return (name) => {
    let instrument = made.get(name);
    if (instrument === undefined) {
      instrument = make(name);
      made.set(name, instrument);
    }
    return instrument;
  };
}
