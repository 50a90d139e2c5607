import { type Attributes, type Meter, metrics as otelMetrics } from '@opentelemetry/api';

export interface Counter {
  add(amount: number, labels?: Readonly<Record<string, string>>): void;
}

export interface Histogram {
  record(value: number, labels?: Readonly<Record<string, string>>): void;
}

/** Meters of one service. Values go to the SDK when it runs; otherwise each call costs a function call. */
export interface Metrics {
  counter(name: string, description: string): Counter;
  /** `unit` in UCUM: `s`, `By`, `{request}`. */
  histogram(name: string, unit: string, description: string): Histogram;
  /** Reads `observe` whenever metrics are collected. */
  gauge(name: string, description: string, observe: () => number, labels?: Readonly<Record<string, string>>): void;
}

/** Meters named after the service. */
export function createMetrics(service: string): Metrics {
  const meter: Meter = otelMetrics.getMeter(`lintel.${service}`);
  return {
    counter(name, description) {
      const counter = meter.createCounter(name, { description });
      return { add: (amount, labels) => counter.add(amount, labels as Attributes | undefined) };
    },
    histogram(name, unit, description) {
      const histogram = meter.createHistogram(name, { unit, description });
      return { record: (value, labels) => histogram.record(value, labels as Attributes | undefined) };
    },
    gauge(name, description, observe, labels) {
      meter
        .createObservableGauge(name, { description })
        .addCallback((result) => result.observe(observe(), labels as Attributes | undefined));
    },
  };
}
