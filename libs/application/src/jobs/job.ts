import type { ApplicationData } from '../data-manager.ts';

/** Rights of the runs of a job: the rights of a user, or roles that the job names. */
export type JobAuthor =
  | string
  | { readonly resourceRoles: readonly string[]; readonly rowLevelRoles?: readonly string[] };

/** When a job runs, with which rights, and what happens to a run that fails (contract/jobs.md#declaration). */
export interface JobOptions {
  /** Name of a user, or roles: runs read and write with these rights. */
  readonly as: JobAuthor;
  /** Cron expression of five fields, in `timeZone`. Without it the job only runs when it is queued. */
  readonly schedule?: string;
  /** IANA name; UTC without it. */
  readonly timeZone?: string;
  /**
   * Scheduled times that passed while no process ran: `once` runs the last one (default), `skip` none, `all` each one
   * of the last 30 days; then `run.due` is the time.
   */
  readonly missed?: 'once' | 'all' | 'skip';
  /**
   * Whether several runs of the job may run at the same time, in all processes; false by default. `groups`: those with
   * different groups may.
   */
  readonly overlap?: boolean | 'groups';
  /** Seconds that one attempt may take: 1 to 86,400; 900 without it. */
  readonly timeout?: number;
  /** Attempts after the first one: 0 to 20; 3 without it. */
  readonly retries?: number;
}

/** A run and its attempt. */
export interface JobRun {
  readonly id: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** The scheduled time that the run is for, of a job with `missed: 'all'`. */
  readonly due?: Date;
}

/** Lines of the log with the name of the job and the id of the run. Values of arguments do not belong into them. */
export interface JobLog {
  info(text: string): void;
  warn(text: string): void;
}

/** The context of a handler. */
export interface JobContext<A> {
  /** The arguments of the run, as JSON has them; `{}` for a scheduled run. */
  readonly args: A;
  /** Reads and writes with the rights of the job; `data.unconstrained()` without their limits. */
  readonly data: ApplicationData;
  /** Aborted when the run is cancelled, takes too long, or the process ends. */
  readonly signal: AbortSignal;
  readonly log: JobLog;
  readonly run: JobRun;
  /**
   * Records how far the run is, for `GET /rest/operations/job-runs/{id}`: at most once in half a second. Operators see
   * `text`: values of instances do not belong into it.
   */
  readonly progress: (done: number, of: number, text?: string) => void;
}

/** A job of the application. */
export interface JobDefinition {
  readonly name: string;
  readonly options: JobOptions;
  /** Only its declaration knows the type of its arguments. */
  readonly handler: (context: JobContext<never>) => unknown;
}

/**
 * Declares a job, for `jobs` of the application. A run that fails, or whose process dies, runs again: handlers must
 * bear to begin again.
 *
 * ```ts
 * job('nightly-reminders', { schedule: '0 2 * * *', timeZone: 'Europe/Berlin', as: 'reminders' }, async ({ data }) => { … })
 * ```
 */
export const job = <A = Readonly<Record<string, unknown>>>(
  name: string,
  options: JobOptions,
  handler: (context: JobContext<A>) => unknown,
): JobDefinition => Object.freeze({ name, options, handler });

/** When and how a queued run starts. */
export interface EnqueueOptions {
  /** Not before; at once without it. */
  readonly runAt?: Date;
  /** The work itself: while a run of the job with this key is kept, no other one is queued. */
  readonly key?: string;
  /** Runs with a greater number start first; 0 without it. */
  readonly priority?: number;
  /** Of a job with `overlap: 'groups'`: at most one run of a group is active. 1 to 200 characters. */
  readonly group?: string;
  /** Not before this run has completed. A run that fails or is cancelled keeps it waiting until it is retried. */
  readonly after?: { readonly job: string } & ({ readonly id: string } | { readonly key: string });
}

/** Queues runs of the application's jobs. */
export interface JobQueue {
  /**
   * Queues a run in the transaction of the data manager, without one in a transaction of its own: what is rolled back
   * queues nothing.
   *
   * @param args a value of JSON
   * @returns id of the run; of the run that there is already, for a key
   * @throws RangeError for an unknown job or run, and for options without a meaning
   */
  enqueue(name: string, args?: unknown, options?: EnqueueOptions): Promise<string>;
  /**
   * Cancels a run, in the same transaction: one that has not begun, and for which no other one waits, is removed, so that its key is free again; the
   * `signal` of an active one is aborted within seconds, and it is not tried again.
   *
   * @param run its id, or the key it was queued with
   * @returns false if no such run waits or is active
   * @throws RangeError for an unknown job
   */
  cancel(name: string, run: { readonly id: string } | { readonly key: string }): Promise<boolean>;
}
