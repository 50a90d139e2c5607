import type { SystemResult } from '../measure/run-record.ts';
import type { LimitCheck } from './check-limits.ts';
import type { RunHead } from './run-head.ts';

/** One complete run as `results/<commit>.json` keeps it. */
export interface RecordedRun extends RunHead {
  readonly options: {
    readonly rounds: number;
    readonly runMs: number;
    readonly referenceMs: number;
    readonly connections?: number;
  };
  readonly startMs: Readonly<Record<string, number>>;
  readonly operations: readonly {
    readonly operation: string;
    readonly about: string;
    readonly systems: readonly SystemResult[];
  }[];
  /** Resident memory of our processes 15 s after the last request. */
  readonly idleMiB?: Readonly<Record<string, number>>;
  /** Limits that are no ratios. */
  readonly limits: readonly LimitCheck[];
}
