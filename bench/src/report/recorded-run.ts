import type { SystemResult } from '../measure/run-record.ts';
import type { LimitCheck } from './check-limits.ts';

/** The tree that was measured. */
export interface TreeState {
  readonly commit: string;
  /** Whether it held changes that the commit has not. */
  readonly isChanged: boolean;
}

/** One complete run as `results/<commit>.json` keeps it. */
export interface RecordedRun extends TreeState {
  /** ISO 8601. */
  readonly measuredAt: string;
  readonly machine: Machine;
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
  /** Resident memory of our processes 15 s after the last request. Older records do not have it. */
  readonly idleMiB?: Readonly<Record<string, number>>;
  /** Limits that are no ratios. */
  readonly limits: readonly LimitCheck[];
}

export interface Machine {
  readonly cpu: string;
  readonly cpus: number;
  readonly memoryGiB: number;
  /** Load average of a minute when the run began: figures taken on a busy machine say little. */
  readonly loadBefore: number;
  readonly node: string;
  readonly postgres: string;
}
