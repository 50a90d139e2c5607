import type { Principal } from '@lintel/contracts';
import type { EventBus } from '@lintel/events';
import type { Logger } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { ReportsConfig } from '../config.ts';
import type { DocumentStore } from '../files/document-store.ts';
import type { BackgroundRun } from '../runs/background-run.ts';
import type { RunInput } from '../runs/preparation/run-input.ts';
import { acceptRun } from './accept-run.ts';
import type { RunStore } from './create-run-store.ts';
import { type ExecuteRunPorts, executeRun } from './execute-run.ts';
import { createRunQueue, type RunQueue } from './run-queue.ts';
import { createRunWorker } from './run-worker.ts';

/** Ports of runs in the background. */
export interface BackgroundRunsPorts {
  readonly store: RunStore;
  readonly bus: EventBus;
  readonly documents: DocumentStore;
}

export interface BackgroundRuns {
  readonly store: RunStore;
  readonly queue: RunQueue;
  /** Accepts a run; see `acceptRun`. */
  accept(input: RunInput, principal: Principal): Promise<BackgroundRun>;
}

export interface CreateBackgroundRunsOptions extends BackgroundRunsPorts, Omit<ExecuteRunPorts, 'timeoutMs'> {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly config: ReportsConfig['background'];
}

/** The run of a worker that has ended abnormally is available again after this time. */
const LEASE_MS = 20_000;
const RECOVERY_INTERVAL_MS = 5_000;
/** A run that waits longer is announced again, since its event may have been lost. */
const REANNOUNCE_AFTER_MS = 60_000;
const MAX_ATTEMPTS = 3;

/** Connects store, queue and worker of runs in the background. */
export function createBackgroundRuns(options: CreateBackgroundRunsOptions): BackgroundRuns {
  const { store, documents, runPorts, logger, clock, newId, config } = options;
  const worker = createRunWorker({
    store,
    documents,
    executeRun: (claimed, progress, signal) =>
      executeRun(claimed, progress, signal, { ...options, timeoutMs: config.timeoutMs }),
    newId,
    logger,
    measured: runPorts.measured,
    leaseMs: LEASE_MS,
    maxAttempts: MAX_ATTEMPTS,
  });
  const queue = createRunQueue({
    bus: options.bus,
    store,
    worker,
    logger,
    clock,
    newId,
    concurrency: config.workers,
    recoveryIntervalMs: RECOVERY_INTERVAL_MS,
    reannounceAfterMs: REANNOUNCE_AFTER_MS,
    retentionMs: config.retentionMs,
  });
  const { serviceTokens } = runPorts;
  const { maxPerUser } = config;
  return {
    store,
    queue,
    accept: (input, principal) => acceptRun(input, principal, { store, queue, serviceTokens, runPorts, maxPerUser }),
  };
}
