import type { Envelope, EventData } from '@lintel/contracts';
import { type ErrorCode, isPlatformError, PlatformError } from '@lintel/errors';
import { toPlatformError } from '@lintel/http';
import type { Logger } from '@lintel/telemetry';
import type { DocumentStore, StoredDocument } from '../files/document-store.ts';
import type { ClaimedRun, RunFailure, RunPhase } from '../runs/background-run.ts';
import type { RunMetrics } from '../runs/run-metrics.ts';
import type { RunStore } from './create-run-store.ts';

/** Receives the progress of a run while it is executed. */
export interface ProgressMeter {
  enter(phase: RunPhase): void;
  addRow(): void;
}

export interface RunWorkerPorts {
  readonly store: RunStore;
  readonly documents: DocumentStore;
  /** Renders and stores the document of a run. */
  readonly executeRun: (claimed: ClaimedRun, progress: ProgressMeter, signal: AbortSignal) => Promise<StoredDocument>;
  readonly newId: () => string;
  readonly logger: Logger;
  readonly measured: RunMetrics;
  readonly leaseMs: number;
  readonly maxAttempts: number;
}

type EndedRun = EventData<'reports.run.ended.v1'>;

/** Executes runs of the queue. */
export interface RunWorker {
  /**
   * Executes the run of an event; resolves when this process has nothing more to do for it, with the end of the run if
   * it has ended it.
   *
   * @throws RunsExhaustedError where the run was begun too often; a retryable error where the database cannot be reached
   *   or the worker stops
   */
  handle(envelope: Envelope): Promise<EndedRun | undefined>;
  /** Stops a run that was cancelled at once, without waiting for the next renewal of its lease. */
  drop(runId: string): void;
  /** Returns all runs to the queue. */
  stop(): Promise<void>;
}

/** The run has reached the maximum of attempts without an end. Its event becomes a dead letter. */
class RunsExhaustedError extends Error {
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
    super('The run was cancelled or is executed by another worker');
    this.name = 'LeaseLostError';
  }
}

/** Renewals during one lease; one or two may fail. */
const RENEWALS_PER_LEASE = 4;

export function createRunWorker(ports: RunWorkerPorts): RunWorker {
  const { store, logger, leaseMs, maxAttempts } = ports;
  const running = new Map<string, { readonly abort: AbortController; readonly done: Promise<unknown> }>();
  let isStopped = false;

  async function work(claimed: ClaimedRun, abort: AbortController): Promise<EndedRun['status'] | undefined> {
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
        // Where this continues the lease expires, and another worker executes the run.
        logger.warn({ err, runId }, 'The lease on a report run could not be renewed');
      }
    };
    const timer = setInterval(renew, leaseMs / RENEWALS_PER_LEASE);
    const end = ports.measured.begin('background');
    let outcome: 'ok' | 'error' = 'error';
    try {
      const result = await ports.executeRun(claimed, progress, abort.signal);
      outcome = 'ok';
      if (await store.succeed(claimed, result, rows)) return 'SUCCEEDED';
      logger.info({ runId }, 'The lease on a report run was lost; its document is removed');
      await ports.documents.remove(result.fileRef);
      return undefined;
    } catch (error) {
      const { reason } = abort.signal;
      if (reason instanceof LeaseLostError) return undefined;
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
      return (await store.fail(claimed, failure, rows)) ? 'FAILED' : undefined;
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
      if (claimed === undefined) return undefined;
      if (claimed === 'exhausted') {
        await store.giveUp(runId, failureOf(new PlatformError('REPORT_RUN_FAILED', 'The report cannot be made.')));
        throw new RunsExhaustedError(runId, maxAttempts);
      }
      const abort = new AbortController();
      const done = work(claimed, abort);
      running.set(runId, { abort, done });
      try {
        const status = await done;
        const { sessionId, report } = claimed.run;
        return status && { runId, sessionId, reportName: report.name, status };
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

/** A service that the run needs is unavailable and may be available at the next attempt. */
const OUTAGES: ReadonlySet<ErrorCode> = new Set(['DATA_UNAVAILABLE', 'AUTH_UNAVAILABLE', 'FILE_STORAGE_UNAVAILABLE']);
const isOutage = (error: unknown): boolean => isPlatformError(error) && OUTAGES.has(error.code);

/** The error of a run for its resource. */
const failureOf = ({ status, error, details }: PlatformError): RunFailure => ({ status, error, details });
