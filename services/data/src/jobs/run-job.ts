import { setTimeout as sleep } from 'node:timers/promises';
import type { JobDefinition } from '@lintel/application';
import {
  createApplicationData,
  currentWriteDependencies,
  OpenLifetime,
  type WriteDependencies,
} from '@lintel/entities';
import type { Database } from '@lintel/persistence';
import { errorTypeOf, type Histogram, type Logger, type Metrics, NO_METRICS, withRemoteSpan } from '@lintel/telemetry';
import { kindOfError, principalOfAuthor } from '../access/principal-of-author.ts';
import type { UserReading } from '../access/principal-of-user.ts';
import { RunFailure } from '../access/run-failure.ts';

/** An attempt that this process has taken. */
export interface TakenRun {
  readonly id: string;
  readonly retryCount: number;
  /** The user who queued it; absent for scheduled runs. */
  readonly groupId?: string | null;
  readonly data: { readonly args?: unknown; readonly traceparent?: string; readonly due?: string } | null;
}

/** Runs an attempt of a run; resolves to what is kept of it. */
export type RunJob = (
  job: JobDefinition,
  run: TakenRun,
  signal: AbortSignal,
) => Promise<{ readonly progress?: JobProgress; readonly result?: unknown }>;

/** How far a run is. */
export interface JobProgress {
  readonly done: number;
  readonly of: number;
  readonly text?: string;
}

export interface RunDependencies extends UserReading {
  readonly database: Database;
  readonly write: WriteDependencies;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
}

const PROGRESS_MS = 500;

/** Only the active attempt stores its progress. */
const STORE_PROGRESS = `UPDATE job.job SET output = $4
WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3`;

/** Creates what runs the attempts, each with the rights of its job, in the trace of the request that queued the run. */
export function createRunJob(deps: RunDependencies): RunJob {
  const completed = new Map<string, Histogram>();
  return async (job, { id, retryCount, data }, signal) => {
    const run = { id, attempt: retryCount + 1, ...(data?.due && { due: new Date(data.due) }) };
    const logger = deps.logger.child({ job: job.name, runId: id, attempt: run.attempt });
    const lifetime = new OpenLifetime();
    const progress = createProgress((value) =>
      deps.database
        .query({ text: STORE_PROGRESS, values: [job.name, id, retryCount, JSON.stringify({ progress: value })] })
        .catch((error: unknown) => logger.warn({ error }, 'the progress of a run was not stored')),
    );
    const attributes = {
      'messaging.system.name': 'pg-boss',
      'messaging.destination.name': job.name,
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
    };
    const durationOf = (error?: string): Histogram =>
      (deps.metrics ?? NO_METRICS).histogram('messaging.process.duration', { ...attributes, 'error.type': error });
    const handle = async (): Promise<unknown> => {
      const principal = await principalOfAuthor(job.options.as, `job ${job.name}`, deps);
      const write = await currentWriteDependencies(deps.write);
      return job.handler({
        args: (data?.args ?? {}) as never,
        data: createApplicationData(write, principal, signal, lifetime),
        signal,
        log: { info: (text) => logger.info({}, text), warn: (text) => logger.warn({}, text) },
        run,
        progress: progress.note,
      });
    };
    const begin = performance.now();
    const sinceBegin = (): number => (performance.now() - begin) / 1_000;
    try {
      const result = await withRemoteSpan(
        `process ${job.name}`,
        { ...attributes, 'messaging.message.id': id },
        data?.traceparent,
        handle,
      );
      if (!completed.has(job.name)) completed.set(job.name, durationOf());
      completed.get(job.name)?.record(sinceBegin());
      return {
        ...(progress.last !== undefined && { progress: progress.last }),
        // Jobs of the platform have results, which their callers read.
        ...(job.name.includes('.') && result !== undefined && { result }),
      };
    } catch (error) {
      durationOf(errorTypeOf(error)).record(sinceBegin());
      logger.error({ error }, 'a run of a job has failed');
      const { failure, cause = error } = error instanceof RunFailure ? error : {};
      throw {
        message: kindOfError(cause, 'run'),
        ...(progress.last && { progress: progress.last }),
        ...(failure && { failure }),
      };
    } finally {
      lifetime.end();
      await progress.stored();
    }
  };
}

/** Stores the last value at most once in half a second. */
function createProgress(store: (value: JobProgress) => Promise<unknown>) {
  let last: JobProgress | undefined;
  let isWaiting = false;
  let storing: Promise<unknown> = Promise.resolve();
  const progress = {
    get last() {
      return last;
    },
    note(done: number, of: number, text?: string): void {
      last = { done, of, ...(text !== undefined && { text }) };
      if (isWaiting) return;
      isWaiting = true;
      storing = store(last);
      void sleep(PROGRESS_MS, undefined, { ref: false }).then(() => {
        isWaiting = false;
        if (last !== undefined && !hasEnded) storing = store(last);
      });
    },
    stored() {
      hasEnded = true;
      return storing;
    },
  };
  let hasEnded = false;
  return progress;
}
