import { hash } from 'node:crypto';
import type { EnqueueOptions, JobDefinition, JobQueue } from '@lintel/application';
import { suggestion } from '@lintel/errors';
import { cancelRun, enqueueRun, isStorableJson } from '@lintel/persistence';
import type { WriteScope } from './write-scope.ts';

/** The jobs of the application, as writes queue their runs. */
export interface ScopeJobs {
  /** Queues a run in the transaction of the scope; returns its id. */
  enqueue(
    scope: Pick<WriteScope, 'transaction' | 'ids' | 'changes' | 'username'>,
    name: string,
    args: unknown,
    options: EnqueueOptions & { readonly id?: string },
  ): Promise<string>;
  /** Cancels a run in the transaction of the scope; returns whether there was one. */
  cancel(scope: Pick<WriteScope, 'transaction'>, ...which: Parameters<JobQueue['cancel']>): Promise<boolean>;
  /** Called after the commit. */
  wake(name: string): void;
  /** The worker of this process, which need not look for the runs then. */
  onWake(listener: (name: string) => void): void;
}

const MAX_PRIORITY = 1_000;
/** It is part of a key of an index. */
const GROUP = /^[^\0]{1,200}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const idOf = (name: string, run: { readonly id: string } | { readonly key: string }): string =>
  'key' in run ? runIdOf(name, run.key) : run.id;

/** @returns undefined for an application without jobs */
export function createScopeJobs(jobs: readonly Omit<JobDefinition, 'handler'>[]): ScopeJobs | undefined {
  if (jobs.length === 0) return undefined;
  const byName = new Map(jobs.map((job) => [job.name, job]));
  let wake: ((name: string) => void) | undefined;
  const jobOf = (name: string): Omit<JobDefinition, 'handler'> => {
    const job = byName.get(name);
    if (job === undefined) throw new RangeError(`There is no job ${name}${suggestion(name, byName.keys())}`);
    return job;
  };
  return {
    async enqueue({ transaction, ids, changes, username }, name, args, options) {
      const { runAt, key, priority = 0, group, after, id: given } = options;
      const job = jobOf(name);
      if (!Number.isInteger(priority) || Math.abs(priority) > MAX_PRIORITY)
        throw new RangeError(`Job ${name}: priority must be a whole number from -${MAX_PRIORITY} to ${MAX_PRIORITY}`);
      if (runAt !== undefined && Number.isNaN(runAt.getTime())) throw new RangeError(`Job ${name}: runAt is no time`);
      if (group !== undefined && job.options.overlap !== 'groups')
        throw new RangeError(`Job ${name}: group: only runs of a job with overlap: 'groups' have one`);
      if (group !== undefined && !GROUP.test(group))
        throw new RangeError(`Job ${name}: group must be a text of 1 to 200 characters`);
      const before = after && { name: jobOf(after.job).name, id: idOf(after.job, after) };
      if (before !== undefined && !UUID.test(before.id))
        throw new RangeError(`after: there is no such run of ${before.name}`);
      const json = JSON.stringify(args);
      if (json === undefined) throw new RangeError(`Job ${name}: its arguments are no value of JSON`);
      const id = given ?? (key === undefined ? ids.next() : runIdOf(name, key));
      const run = { id, json, runAt, priority, user: username, group, after: before };
      // Only for the first one of each job: those that a loop queues are sent one after the other. What the database
      // refuses is awaited, so that a savepoint takes it back: a failure after `send` ends the whole transaction.
      const isSent = runAt === undefined && !changes.queuedJobs.has(name) && isStorableJson(json);
      const send = isSent ? transaction.send.bind(transaction) : undefined;
      await enqueueRun(transaction, { name, ...job.options }, run, send);
      if (runAt === undefined) changes.queuedJobs.add(name);
      return id;
    },
    cancel: async ({ transaction }, name, run) => cancelRun(transaction, jobOf(name).name, idOf(name, run)),
    wake: (name) => wake?.(name),
    onWake(listener) {
      wake = listener;
    },
  };
}

/** The id of the run with a key: the same one for the same key, so that the database refuses a second one. */
export function runIdOf(name: string, key: string): string {
  const digest = hash('sha256', `${name}\0${key}`);
  // A UUID of version 8, whose bits have no prescribed meaning.
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
