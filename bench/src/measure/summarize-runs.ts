import type { RunRecord, SystemResult } from './run-record.ts';
import { medianOf } from './statistics.ts';

/**
 * Brings the runs of a system together. The ratio is the median of the paired ratios, each run's to the
 * reference's run right before it: the speed of a shared machine drifts by more than systems differ.
 */
export function summarizeRuns(system: string, runs: readonly RunRecord[]): SystemResult {
  const middle = (value: (run: RunRecord) => number): number => medianOf(runs.map(value));
  return {
    system,
    runs,
    perSecond: middle((run) => run.perSecond),
    ratio: middle((run) => ratioOf(run)),
    p50Ms: middle((run) => run.p50Ms),
    p99Ms: middle((run) => run.p99Ms),
    cpuMicrosPerRequest: byName(
      runs.map((run) => run.cpuMicrosPerRequest),
      medianOf,
    ),
    rssMiB: byName(
      runs.map((run) => run.rssMiB),
      maxOf,
    ),
    rssGrowthMiB: byName(
      runs.map((run) => run.rssGrowthMiB),
      maxOf,
    ),
    loopLagP99Ms: byName(
      runs.map((run) => run.loopLagP99Ms),
      medianOf,
    ),
    failures: runs.reduce((sum, run) => sum + Object.values(run.failures).reduce((some, count) => some + count, 0), 0),
  };
}

const maxOf = (values: readonly number[]): number => Math.max(...values);

const ratioOf = ({ perSecond, referencePerSecond }: RunRecord): number =>
  referencePerSecond === 0 ? 0 : perSecond / referencePerSecond;

function byName(
  records: readonly Readonly<Record<string, number>>[],
  combine: (values: readonly number[]) => number,
): Readonly<Record<string, number>> {
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  return Object.fromEntries([...names].map((name) => [name, combine(records.flatMap((record) => record[name] ?? []))]));
}
