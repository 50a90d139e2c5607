import type { Rights } from '@lintel/react';

/** A job of the application. */
export interface Job {
  readonly name: string;
  readonly schedule: string | null;
  readonly timeZone: string | null;
  readonly next: string | null;
  readonly paused: boolean;
}

/** A run of a job. */
export interface JobRun {
  readonly id: string;
  readonly job: string;
  readonly state: (typeof RUN_STATES)[number];
  readonly attempts: number;
  readonly queuedAt: string;
  readonly runAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly error: string | null;
  readonly progress: { readonly done: number; readonly of: number; readonly text?: string } | null;
}

/** A page of runs. */
export interface JobRuns {
  readonly runs: readonly JobRun[];
  readonly next: string | null;
}

export const RUN_STATES = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'] as const;

export const RUN_COLORS = {
  created: 'gray',
  retry: 'orange',
  active: 'blue',
  completed: 'green',
  cancelled: 'yellow',
  failed: 'red',
} as const;

/** Whether a run has not ended: it can be cancelled. */
export const canCancel = ({ state }: JobRun): boolean => ['created', 'retry', 'active'].includes(state);

/** Whether operators run the job: the platform queues those with a dot in the name itself. */
export const canRun = ({ name }: Pick<Job, 'name'>): boolean => !name.includes('.');

/** Whether the user may run, cancel and repeat a job (contract/operations.md#jobs). */
export const mayManageJob = (rights: Pick<Rights, 'has'>, job: string): boolean =>
  rights.has('jobs.manage') || rights.has(`jobs.manage.${job}`);

/** The first part of the keys of queries of jobs. */
export const JOBS = ['jobs'] as const;

const MOVING_MS = 2_000;
const IDLE_MS = 30_000;

/** The time until runs are read again: short while one is active, or starts within moments. */
export const intervalOf = (page: JobRuns | undefined, now = Date.now()): number =>
  page?.runs.some((run) => run.state === 'active' || (canCancel(run) && Date.parse(run.runAt) <= now)) === true
    ? MOVING_MS
    : IDLE_MS;
