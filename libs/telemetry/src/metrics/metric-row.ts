/** Upper bounds of the buckets of histograms, seconds; the names say for which kind of duration. */
export const BUCKETS = {
  /** Requests and messages, as the semantic conventions of OpenTelemetry advise. */
  requests: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  /** Statements, as the conventions advise. */
  statements: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
  /** Waits inside of a process. */
  waits: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10],
  /** Operations that take seconds or minutes. */
  runs: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 1800],
  /** Collections of garbage. */
  pauses: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
} as const;

/** One metric: what it counts or measures, and its labels. */
export interface MetricRow {
  /** `updown` is a count that rises and falls, whose values of several processes can be added. */
  readonly type: 'counter' | 'gauge' | 'updown' | 'histogram';
  /** In UCUM: `s`, `By`, `{request}`; `1` for a share. */
  readonly unit: string;
  /** Names of its labels: each with few values, none of them personal. */
  readonly labels: readonly string[];
  /** Those of them that some series do not have. */
  readonly optional?: readonly string[];
  readonly description: string;
  readonly buckets?: keyof typeof BUCKETS;
}

/** The row of a metric of the type, whose labels are always there. */
const rowOf =
  <Type extends MetricRow['type']>(type: Type) =>
  <const Labels extends readonly string[]>(unit: string, labels: Labels, description: string) => ({
    type,
    unit,
    labels,
    description,
  });
export const counter = rowOf('counter');
export const gauge = rowOf('gauge');
export const updown = rowOf('updown');

/** The row of a histogram of durations. */
export const histogram = <const Labels extends readonly string[], Buckets extends keyof typeof BUCKETS>(
  buckets: Buckets,
  labels: Labels,
  description: string,
) => ({ type: 'histogram' as const, unit: 's', buckets, labels, description });
