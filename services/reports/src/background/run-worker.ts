import type { Envelope, EventData } from '@lintel/contracts';
import { type ErrorCode, isPlatformError, PlatformError } from '@lintel/errors';
import { toPlatformError } from '@lintel/http';
import type { Logger } from '@lintel/telemetry';
import type { RunMetrics } from '../runs/run-metrics.ts';
import type { ClaimedRun, RunFailure, RunPhase, RunResult } from './background-run.ts';
import type { RunStore } from './create-run-store.ts';
import type { DocumentStore } from './document-store.ts';

/** How far a run is, told by whoever carries it out. */
export interface ProgressMeter {
  enter(phase: RunPhase): void;
  addRow(): void;
}

export interface RunWorkerPorts {
  readonly store: RunStore;
  readonly documents: DocumentStore;
  /** Makes the document of a run and stores it. */
  readonly carryOut: (claimed: ClaimedRun, progress: ProgressMeter, signal: AbortSignal) => Promise<RunResult>;
  readonly newId: () => string;
  readonly logger: Logger;
  readonly measured: RunMetrics;
  readonly leaseMs: number;
  readonly maxAttempts: number;
}

/** Works at runs of the queue. */
export interface RunWorker {
  /**
   * Carries out the run that an event names; resolves when nothing is left to do for this process.
   *
   * @throws RunsExhaustedError where the run was begun too often, an error that is tried again where the database
   *   cannot be reached or the worker stops
   */
  handle(envelope: Envelope): Promise<void>;
  /** Stops working at a run that was cancelled, at once and not at the next renewal. */
  drop(runId: string): void;
  /** Gives all runs back, for the next worker. */
  stop(): Promise<void>;
}

/** The run was begun as often as it may, and no worker came to its end. The event is a dead letter. */
export class RunsExhaustedError extends Error {
  readonly retryable = false;

  constructor(runId: string, attempts: number) {
    super(`The report run ${runId} was begun ${attempts} times and never ended`);
    this.name = 'RunsExhaustedError';
  }
}

class WorkerStopsError extends Error {
  constructor() {
    super('The worker stops');
    this.name = 'WorkerStopsError';
  }
}

class LeaseLostError extends Error {
  constructor() {
    super('The run was cancelled or is carried out by another worker');
    this.name = 'LeaseLostError';
  }
}

/** Renewals that fit into a lease: one or two may fail. */
const RENEWALS_PER_LEASE = 4;

export function createRunWorker(ports: RunWorkerPorts): RunWorker {
  const { store, logger, leaseMs, maxAttempts } = ports;
  const running = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>();
  let isStopped = false;

  async function work(claimed: ClaimedRun, abort: AbortController): Promise<void> {
    const { runId } = claimed;
    let [phase, rows]: [RunPhase, number] = ['PARAMETERS', 0];
    const progress: ProgressMeter = {
      enter(next) {
        phase = next;
      },
      addRow() {
        rows += 1;
      },
    };
    const renew = async (): Promise<void> => {
      try {
        if (!(await store.renew(claimed, { phase, rows }, leaseMs))) abort.abort(new LeaseLostError());
      } catch (err) {
        // The lease runs out by itself where this goes on; another worker has the run then.
        logger.warn({ err, runId }, 'The lease on a report run could not be renewed');
      }
    };
    const timer = setInterval(renew, leaseMs / RENEWALS_PER_LEASE);
    const end = ports.measured.begin('background');
    let outcome: 'ok' | 'error' = 'error';
    try {
      const result = await ports.carryOut(claimed, progress, abort.signal);
      outcome = 'ok';
      if (await store.succeed(claimed, result, rows)) return;
      logger.info({ runId }, 'The document of a report run that is not this worker’s any longer is removed');
      await ports.documents.remove(result.fileRef);
    } catch (error) {
      const { reason } = abort.signal;
      if (reason instanceof LeaseLostError) return;
      if (reason instanceof WorkerStopsError) {
        await store.release(claimed, false);
        throw reason;
      }
      if (claimed.attempt < maxAttempts && isOutage(error)) {
        logger.warn({ err: error, runId, attempt: claimed.attempt }, 'A report run is tried again');
        await store.release(claimed, true);
        throw error;
      }
      const failure = failureOf(toPlatformError(error));
      logger[failure.status >= 500 ? 'error' : 'info']({ err: error, runId }, 'A report run failed');
      await store.fail(claimed, failure, rows);
    } finally {
      clearInterval(timer);
      end(outcome);
    }
  }

  return {
    async handle(envelope) {
      if (isStopped) throw new WorkerStopsError();
      const { runId } = envelope.data as EventData<'reports.run.queued.v1'>;
      const claimed = await store.claim(runId, ports.newId(), leaseMs, maxAttempts);
      if (claimed === undefined) return;
      if (claimed === 'exhausted') {
        await store.giveUp(runId, failureOf(new PlatformError('REPORT_RUN_FAILED', 'The report cannot be made.')));
        throw new RunsExhaustedError(runId, maxAttempts);
      }
      const abort = new AbortController();
      const done = work(claimed, abort);
      running.set(runId, { abort, done });
      try {
        await done;
      } finally {
        running.delete(runId);
      }
    },
    drop(runId) {
      running.get(runId)?.abort.abort(new LeaseLostError());
    },
    async stop() {
      isStopped = true;
      const left = [...running.values()];
      for (const { abort } of left) abort.abort(new WorkerStopsError());
      await Promise.allSettled(left.map(({ done }) => done));
    },
  };
}

/** Something that the run needs is away, and may be back at the next attempt. */
const OUTAGES: ReadonlySet<ErrorCode> = new Set(['DATA_UNAVAILABLE', 'AUTH_UNAVAILABLE', 'FILE_STORAGE_UNAVAILABLE']);
const isOutage = (error: unknown): boolean => isPlatformError(error) && OUTAGES.has(error.code);

/** An error as the resource of a run shows it. */
export const failureOf = ({ status, error, details }: PlatformError): RunFailure => ({ status, error, details });
