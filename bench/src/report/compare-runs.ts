import { cpuShareOf } from '../measure/cpu-share.ts';
import type { SystemResult } from '../measure/run-record.ts';
import { REFERENCE, type ServerName, SYSTEMS } from '../systems.ts';
import { errorOf } from '../targets.ts';
import type { RecordedRun } from './recorded-run.ts';

export type Verdict = 'better' | 'worse' | 'same';

/** One system with one operation in two runs. */
export interface Change {
  readonly operation: string;
  readonly system: ServerName;
  readonly ratio: readonly [before: number, after: number];
  /** By processor time; undefined where it was not counted. */
  readonly cpuShare: readonly [before: number, after: number] | undefined;
  readonly verdict: Verdict;
}

type Measured = Pick<RecordedRun, 'operations'>;

/**
 * What changed between two runs, for systems of our own that both have. Only ratios to the reference are
 * compared, since a machine is not as fast today as yesterday; and a change counts only when throughput and
 * processor time agree on it beyond the error of a ratio.
 */
export function compareRuns(before: Measured, after: Measured): readonly Change[] {
  return after.operations.flatMap(({ operation, systems }) => {
    const earlier = before.operations.find((other) => other.operation === operation)?.systems ?? [];
    return systems.flatMap((result): readonly Change[] => {
      const old = earlier.find(({ system }) => system === result.system);
      if (old === undefined || SYSTEMS[result.system as ServerName].api !== 'lintel') return [];
      const shares = [shareOf(old, earlier), shareOf(result, systems)] as const;
      const [oldShare, newShare] = shares;
      const ratio = [old.ratio, result.ratio] as const;
      const cpuShare = oldShare === undefined || newShare === undefined ? undefined : ([oldShare, newShare] as const);
      const verdicts = [ratio, ...(cpuShare === undefined ? [] : [cpuShare])].map((pair) => judge(pair, operation));
      const [first = 'same'] = verdicts;
      const verdict = verdicts.every((one) => one === first) ? first : 'same';
      return [{ operation, system: result.system as ServerName, ratio, cpuShare, verdict }];
    });
  });
}

function shareOf(result: SystemResult, systems: readonly SystemResult[]): number | undefined {
  const reference = systems.find(({ system }) => system === REFERENCE);
  return reference === undefined ? undefined : cpuShareOf(result, reference);
}

function judge([before, after]: readonly [number, number], operation: string): Verdict {
  const error = errorOf(operation);
  if (after < before * (1 - error)) return 'worse';
  return after > before * (1 + error) ? 'better' : 'same';
}

const VERDICT_LABELS: Readonly<Record<Verdict, string>> = { better: '↑ better', worse: '↓ worse', same: '' };

/** The changes as text for people. */
export function formatChanges(changes: readonly Change[]): string {
  const pair = (values: readonly [number, number] | undefined): string =>
    values === undefined ? '' : values.map((value) => value.toFixed(2)).join(' → ');
  const lines = changes.map(({ operation, system, ratio, cpuShare, verdict }) =>
    [
      operation.padEnd(3),
      SYSTEMS[system].about.padEnd(46),
      pair(ratio),
      pair(cpuShare).padEnd(11),
      VERDICT_LABELS[verdict],
    ]
      .join('  ')
      .trimEnd(),
  );
  return ['Ratio to (c) before → after, by throughput and by processor time', ...lines].join('\n');
}
