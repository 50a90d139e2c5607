import type { CounterName, HistogramName, LabelsOf, MetricName, ObservedName } from './catalogue.ts';

/** One series: a metric with fixed labels. Frequent callers keep it, since creating it costs more than using it. */
export interface Counter {
  add(amount: number): void;
}

/** One distribution: a metric with fixed labels, whose unit is that of the catalogue. */
export interface Histogram {
  record(value: number): void;
}

/** A metric without labels needs none. */
export type Labels<Name extends MetricName> = keyof LabelsOf<Name> extends never
  ? readonly []
  : readonly [labels: LabelsOf<Name>];

/** The metrics of a process, by their names in the catalogue (`METRICS`). */
export interface Metrics {
  counter<Name extends CounterName>(name: Name, ...labels: Labels<Name>): Counter;
  histogram<Name extends HistogramName>(name: Name, ...labels: Labels<Name>): Histogram;
  /**
   * Reads a gauge, or a counter that another module maintains, at each collection of metrics. If `read` rejects or
   * returns undefined, the series is missing from that collection.
   */
  observe<Name extends ObservedName>(
    name: Name,
    read: () => number | undefined | Promise<number | undefined>,
    ...labels: Labels<Name>
  ): void;
}

const NOTHING: Counter & Histogram = { add() {}, record() {} };

/** For callers without metrics. */
export const NO_METRICS: Metrics = {
  counter: () => NOTHING,
  histogram: () => NOTHING,
  observe() {},
};
