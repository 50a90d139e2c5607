import type { EventData, EventType } from '@lintel/contracts';
import { createEnvelope, type EventBus } from '@lintel/events';
import { type Logger, traceparentOf } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { RunStore } from './create-run-store.ts';
import type { RunWorker } from './run-worker.ts';

/** Hands runs to workers. */
export interface RunQueue {
  /** Tells the workers of runs that wait. Never rejects: what the broker does not take now is told again later. */
  announce(runIds: readonly string[]): Promise<void>;
  /** Tells the worker of a run, wherever it is, that it was cancelled. Never rejects. */
  announceCancelled(runId: string): Promise<void>;
  /** Begins to take runs, where this process is a worker, and to look after those of workers that are gone. */
  start(): Promise<void>;
  /** Takes no more runs and gives those under way back. */
  stop(): Promise<void>;
}

export interface RunQueuePorts {
  readonly bus: EventBus;
  readonly store: Pick<RunStore, 'recover' | 'prune'>;
  readonly worker: RunWorker;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Runs this process carries out at a time; 0 where it is no worker. */
  readonly concurrency: number;
  /** How often runs of workers that are gone are looked for. */
  readonly recoveryIntervalMs: number;
  /** A run that waits for longer is told to the workers again. */
  readonly announcedAgainAfterMs: number;
  /** How long runs are kept after their end. */
  readonly retentionMs: number;
}

const QUEUED = 'reports.run.queued.v1';
const CANCELLED = 'reports.run.cancelled.v1';

/**
 * The queue of runs. The table is the truth, the broker only wakes the workers: a run whose event was lost, or
 * whose worker is gone, is found in the table and told again, and a run that is told twice is begun once.
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
      logger.warn({ err, type, events: events.length }, 'events of report runs wait for the broker');
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
      await announce(await store.recover(ports.announcedAgainAfterMs));
      await store.prune(ports.retentionMs);
    } catch (err) {
      logger.warn({ err }, 'Report runs could not be looked after; trying again');
    }
  };

  return {
    announce,
    announceCancelled: (runId) => publish(CANCELLED, [[runId, { runId }]]),
    async start() {
      if (ports.concurrency > 0) {
        const jobs = await bus.subscribe({
          queue: { kind: 'jobs', name: 'runs', concurrency: ports.concurrency },
          types: [QUEUED],
          handle: (envelope) => worker.handle(envelope),
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
