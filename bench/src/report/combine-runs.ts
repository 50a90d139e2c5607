import { summarizeRuns } from '../measure/summarize-runs.ts';
import { checkLimits } from './check-limits.ts';
import type { RecordedRun } from './recorded-run.ts';

/** Several runs of one commit as one. */
export interface CombinedRun extends RecordedRun {
  readonly runCount: number;
}

/**
 * The runs of the latest measured commit as one: medians of all their paired ratios and of everything else, as if there
 * had been so many more rounds. A host that is slow for one run has no say in what two others agree on.
 *
 * @param runs oldest first
 */
export function combineLatest(runs: readonly RecordedRun[]): CombinedRun | undefined {
  const latest = runs.at(-1);
  if (latest === undefined) return undefined;
  const same = runs.filter(({ commit, isChanged }) => commit === latest.commit && isChanged === latest.isChanged);
  const operations = latest.operations.map(({ operation, about, systems }) => ({
    operation,
    about,
    systems: systems.map(({ system }) =>
      summarizeRuns(
        system,
        same.flatMap((run) =>
          run.operations
            .filter((one) => one.operation === operation)
            .flatMap((one) => one.systems.filter((result) => result.system === system))
            .flatMap((result) => result.runs),
        ),
      ),
    ),
  }));
  const idleMiB = maximaOf(same.map((run) => run.idleMiB ?? {}));
  return { ...latest, operations, idleMiB, limits: checkLimits(operations, idleMiB), runCount: same.length };
}

/** The largest value of each name. */
function maximaOf(records: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  return Object.fromEntries(
    [...names].map((name) => [name, Math.max(...records.flatMap((record) => record[name] ?? []))]),
  );
}
