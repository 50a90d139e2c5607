import { setTimeout as sleep } from 'node:timers/promises';
import type { JobDefinition } from '@lintel/application';
import type { Database } from '@lintel/persistence';
import type { Logger } from '@lintel/telemetry';
import type { PgBoss } from 'pg-boss';
import { createFairFetch, type FetchRuns } from './fetch-fairly.ts';
import type { RunJob, TakenRun } from './run-job.ts';

export interface RunnerOptions {
  readonly boss: PgBoss;
  readonly database: Database;
  readonly runJob: RunJob;
  /** Whether operators have paused the job: its runs wait. */
  readonly isPaused: () => boolean;
  readonly logger: Logger;
}

/** Takes the runs of one job, and runs them. */
export interface JobRunner {
  /** Looks for runs now, instead of after the pause. */
  wake(): void;
  /** Takes no further run; resolves when those that are active have ended. */
  stop(): Promise<void>;
  /** Fails what is active, which a further attempt follows: the process ends. */
  cut(): Promise<void>;
}

/** Parallel runs of a job that may overlap, in one process. One user has all of them but one. */
const PARALLEL = 5;
const POLL_MS = 2_000;
/** How soon an active run learns that it is cancelled. */
const TOUCH_MS = 2_000;
/** Runs that have not begun after this time are given back, and those that have ended are recorded. */
const BATCH_MS = 200;
const MAX_BATCH = 200;
/** The end of a run is recorded within this time, if the database is away: later its claim may be lost. */
const RECORD_MS = 25_000;

/** Changes attempts that this process still has; `$2` to `$4` are of the same length. */
const held = (set: string) => `UPDATE job.job j SET ${set}
FROM unnest($2::uuid[], $3::int[], $4::jsonb[]) AS held (id, attempt, output)
WHERE j.name = $1 AND j.id = held.id AND j.state = 'active' AND j.retry_count = held.attempt RETURNING j.id, j.blocking`;
const TOUCH = held('heartbeat_on = job.job_now()');
/** The next attempt is the same one: it counts from `started_on`. */
const RELEASE = held(`state = 'created', started_on = NULL, heartbeat_on = NULL`);
const COMPLETE = held(`state = 'completed', completed_on = job.job_now(), output = held.output`);
/** The end of the process is no failure of an attempt. */
const PERMIT_RETRY = held('retry_limit = j.retry_limit + 1');

const NO_RUNS: Awaited<ReturnType<FetchRuns>> = { runs: [] };

interface Claim {
  readonly run: TakenRun;
  readonly controller: AbortController;
}

/** Creates the runner, which begins to take runs at once. */
export function createJobRunner(job: JobDefinition, options: RunnerOptions): JobRunner {
  const { boss, database, runJob, isPaused, logger } = options;
  const { overlap = false, retries = 3, timeout = 900 } = job.options;
  const maxBatches = overlap === false ? 1 : PARALLEL;
  // If the process dies, an attempt of each run that it has taken has failed, also of those that have not begun.
  const maxBatch = overlap === true && retries > 0 ? MAX_BATCH : 1;
  const claims = new Map<string, Claim>();
  const running: TakenRun[] = [];
  const fetchNext = createFairFetch(boss, job, maxBatches);
  const batches = new Set<Promise<void>>();
  let batchSize = 1;
  let isStopping = false;
  let isWoken = false;
  let wakeUp = (): void => {};

  /** A run that was queued again may have a claim of a later attempt by now. */
  const drop = (claim: Claim): void => {
    if (claims.get(claim.run.id) === claim) claims.delete(claim.run.id);
  };
  const change = (text: string, runs: readonly TakenRun[], outputs: readonly object[] = []) =>
    database.query<{ id: string; blocking: boolean }>({
      text,
      values: [
        job.name,
        runs.map(({ id }) => id),
        runs.map(({ retryCount }) => retryCount),
        runs.map((_, at) => JSON.stringify(outputs[at] ?? {})),
      ],
    });
  const wake = (): void => {
    isWoken = true;
    wakeUp();
  };
  const idle = (pollMs = POLL_MS): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, isWoken ? 0 : pollMs);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** Tries again while the database is away: a run whose end is not recorded runs again. */
  async function record<T>(what: () => Promise<T>): Promise<T | undefined> {
    for (const end = Date.now() + RECORD_MS; ; await sleep(1_000)) {
      try {
        return await what();
      } catch (error) {
        if (isStopping || Date.now() > end) {
          logger.error({ error, job: job.name }, 'the end of runs was not recorded: they run again');
          return undefined;
        }
      }
    }
  }

  async function attempt({ run, controller }: Claim): Promise<object> {
    const timer = setTimeout(() => controller.abort(new Error(`the attempt exceeded ${timeout}s`)), timeout * 1_000);
    const ending = runJob(job, run, controller.signal);
    running.push(run);
    const aborted = new Promise<never>((_, reject) =>
      controller.signal.addEventListener('abort', () => reject({ message: controller.signal.reason.message })),
    );
    try {
      return await Promise.race([ending, aborted]);
    } catch (error) {
      await record(() => boss.fail(job.name, [run], error as object));
      // A handler that ignores its signal is still one of the parallel ones.
      await ending.catch(() => {});
      throw error;
    } finally {
      clearTimeout(timer);
      running.splice(running.indexOf(run), 1);
    }
  }

  /** Runs one after the other; only those that take long keep the others waiting, which are given back then. */
  async function runBatch(taken: readonly Claim[]): Promise<void> {
    const waiting = [...taken];
    const ended: [Claim, object][] = [];
    const settle = async (): Promise<void> => {
      const done = ended.splice(0);
      const runs = done.map(([{ run }]) => run);
      const outputs = done.map(([, output]) => output);
      const completed = done.length > 0 ? await record(() => change(COMPLETE, runs, outputs)) : [];
      for (const [claim] of done) drop(claim);
      // The library does it, too, but later.
      if (completed?.some(({ blocking }) => blocking))
        await boss.resolveFlow().catch((error: unknown) => logger.error({ error }, 'runs after others wait longer'));
    };
    const giveBack = async (): Promise<void> => {
      const given = waiting.splice(0);
      for (const claim of given) drop(claim);
      const runs = given.map(({ run }) => run);
      if (given.length > 0)
        // Not again: another process may have them by then, as the same attempt.
        await change(RELEASE, runs).catch((error: unknown) =>
          logger.error({ error, job: job.name }, 'runs that have not begun wait for the end of their claim'),
        );
    };
    let early: Promise<unknown> = Promise.resolve();
    const timer = setTimeout(() => {
      batchSize = 1;
      early = Promise.all([settle(), giveBack()]);
    }, BATCH_MS);
    for (let claim = waiting.shift(); claim !== undefined; claim = isStopping ? undefined : waiting.shift()) {
      try {
        if (claim.controller.signal.aborted) drop(claim);
        else ended.push([claim, await attempt(claim)]);
      } catch {
        // It is recorded already.
        drop(claim);
      }
    }
    clearTimeout(timer);
    await Promise.all([early, settle(), giveBack()]);
  }

  async function take(): Promise<void> {
    while (!isStopping) {
      isWoken = false;
      const size = batchSize;
      const { runs, againAfterMs } = batches.size < maxBatches && !isPaused() ? await fetchRuns(size) : NO_RUNS;
      const taken = runs.map((run) => ({ run, controller: new AbortController() }));
      for (const claim of taken) claims.set(claim.run.id, claim);
      if (runs.length > 0) {
        const begin = Date.now();
        const batch: Promise<void> = runBatch(taken).finally(() => {
          batches.delete(batch);
          if (runs.length === size && Date.now() - begin < BATCH_MS / 4) batchSize = Math.min(size * 2, maxBatch);
          wake();
        });
        batches.add(batch);
      }
      if (runs.length < size && !isStopping) await idle(againAfterMs);
    }
  }

  async function fetchRuns(size: number): ReturnType<FetchRuns> {
    try {
      return await fetchNext(size, running);
    } catch (error) {
      logger.error({ error, job: job.name }, 'runs could not be taken');
      return NO_RUNS;
    }
  }

  const touching = setInterval(() => {
    const touched = [...claims.values()];
    if (touched.length === 0) return;
    change(
      TOUCH,
      touched.map(({ run }) => run),
    ).then(
      (rows) => {
        const kept = new Set(rows.map(({ id }) => id));
        for (const { run, controller } of touched)
          if (!kept.has(run.id)) controller.abort(new Error('the run is cancelled, or another process has it'));
      },
      (error: unknown) => logger.error({ error, job: job.name }, 'the claim on active runs was not renewed'),
    );
  }, TOUCH_MS);
  const taking = take();
  return {
    wake,
    async stop() {
      isStopping = true;
      wake();
      await taking;
      await Promise.all(batches);
      clearInterval(touching);
    },
    async cut() {
      clearInterval(touching);
      const active = [...claims.values()];
      if (active.length === 0) return;
      const runs = active.map(({ run }) => run);
      try {
        await change(PERMIT_RETRY, runs);
        await boss.fail(job.name, runs, { message: 'The process was stopped' });
      } catch (error) {
        logger.error({ error, job: job.name }, 'attempts that the end of the process cuts use up a retry');
      }
      for (const { controller } of active) controller.abort(new Error('the process ends'));
    },
  };
}
