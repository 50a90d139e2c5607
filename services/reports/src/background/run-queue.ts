import type { EventData, EventType } from '@lintel/contracts';
import { createEnvelope, type EventBus, handleAfter } from '@lintel/events';
import { type Logger, traceparentOf } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { RunStore } from './create-run-store.ts';
import type { RunWorker } from './run-worker.ts';

/** The queue from which workers take runs. */
export interface RunQueue {
  /**
   * Notifies the workers of waiting runs. Never rejects: runs that the broker does not accept are announced again
   * later.
   */
  announce(runIds: readonly string[]): Promise<void>;
  /** Notifies the worker of a run, in any process, that it was cancelled. Never rejects. */
  announceCancelled(runId: string): Promise<void>;
  /**
   * Declares the queues, where this process is a worker, and begins to recover runs whose worker has ended abnormally.
   * Runs are executed after `prepared` has resolved.
   */
  start(prepared: Promise<unknown>): Promise<void>;
  /** Takes no more runs and returns running ones to the queue. */
  stop(): Promise<void>;
}

export interface RunQueuePorts {
  readonly bus: EventBus;
  readonly store: Pick<RunStore, 'recover' | 'prune'>;
  readonly worker: RunWorker;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Number of runs that this process executes at a time; 0 where it is no worker. */
  readonly concurrency: number;
  /** Interval of the recovery of runs whose worker has ended abnormally. */
  readonly recoveryIntervalMs: number;
  /** A run that waits for longer is announced again. */
  readonly reannounceAfterMs: number;
  /** How long runs are kept after their end. */
  readonly retentionMs: number;
}

const QUEUED = 'reports.run.queued.v1';
const CANCELLED = 'reports.run.cancelled.v1';
const ENDED = 'reports.run.ended.v1';

/**
 * Creates the queue of runs. The table is authoritative, the broker only wakes the workers: a run whose event was lost,
 * or whose lease has expired, is found in the table and announced again, and a run that is announced twice is begun
 * once.
 */
export function createRunQueue(ports: RunQueuePorts): RunQueue {
  const { bus, store, worker, logger } = ports;
  const closing: (() => Promise<unknown>)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let recovering: Promise<void> | undefined;

  const publish = async <T extends EventType>(type: T, events: readonly (readonly [string, EventData<T>])[]) => {
    const time = new Date(ports.clock.now());
    const traceparent = traceparentOf();
    try {
      await bus.publish(
        events.map(([subject, data]) =>
          createEnvelope({ owner: 'reports', type, subject, data, id: ports.newId(), time, traceparent }),
        ),
      );
    } catch (err) {
      logger.warn({ err, type, events: events.length }, 'events of report runs were not published');
    }
  };
  const announce = (runIds: readonly string[]) =>
    runIds.length === 0
      ? Promise.resolve()
      : publish(
          QUEUED,
          runIds.map((runId) => [runId, { runId }] as const),
        );

  const recover = async (): Promise<void> => {
    try {
      await announce(await store.recover(ports.reannounceAfterMs));
      await store.prune(ports.retentionMs);
    } catch (err) {
      logger.warn({ err }, 'Report runs could not be recovered; trying again');
    }
  };

  return {
    announce,
    announceCancelled: (runId) => publish(CANCELLED, [[runId, { runId }]]),
    async start(prepared) {
      if (ports.concurrency > 0) {
        const executing = handleAfter(prepared, bus);
        const jobs = await executing.subscribe({
          queue: { kind: 'jobs', name: 'runs', concurrency: ports.concurrency },
          types: [QUEUED],
          async handle(envelope) {
            const ended = await worker.handle(envelope);
            if (ended !== undefined) await publish(ENDED, [[ended.runId, ended]]);
          },
        });
        const cancellations = await bus.subscribe({
          queue: { kind: 'replica', service: 'reports' },
          types: [CANCELLED],
          handle: async ({ data }) => worker.drop((data as EventData<typeof CANCELLED>).runId),
        });
        closing.push(
          () => jobs.close(),
          () => cancellations.close(),
        );
      }
      await prepared;
      timer = setInterval(() => {
        recovering ??= recover().finally(() => {
          recovering = undefined;
        });
      }, ports.recoveryIntervalMs);
    },
    async stop() {
      clearInterval(timer);
      await recovering;
      await worker.stop();
      await Promise.all(closing.map((close) => close()));
    },
  };
}
