import type { Logger, SecurityRecord } from '@lintel/telemetry';
import type { Clock } from '../ports.ts';
import type { DatedRecord, SecurityEventStore } from './security-event-store.ts';

/** Stores security events without delaying or failing what they are about. */
export interface SecurityEventWriter {
  /** Returns at once; never throws. */
  add(record: SecurityRecord): void;
  /** Tries once more to store what waits. */
  close(): Promise<void>;
}

export interface SecurityEventWriterOptions {
  readonly store: Pick<SecurityEventStore, 'write'>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly maxWaiting?: number;
  readonly batchSize?: number;
  /** How long events wait for others, so that a flood of them is few statements. */
  readonly gatherMs?: number;
  readonly retryMs?: number;
  /** Attempts to store a batch, which is lost after them. */
  readonly attempts?: number;
}

/**
 * Events wait in memory and are stored in batches, one batch at a time. While the database does not respond, a batch is
 * tried again; the queue has a maximum, above which events are counted and lost. The log has all of them.
 */
export function createSecurityEventWriter(options: SecurityEventWriterOptions): SecurityEventWriter {
  const { store, logger, clock, maxWaiting = 5_000, batchSize = 200, gatherMs = 50, retryMs = 5_000 } = options;
  const { attempts = 12 } = options;
  const waiting: DatedRecord[] = [];
  let lost = 0;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;

  function schedule(delayMs: number): void {
    if (timer !== undefined || running !== undefined || isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      running = flush().finally(() => {
        running = undefined;
        if (waiting.length > 0) schedule(failures > 0 ? retryMs : gatherMs);
      });
    }, delayMs);
    timer.unref();
  }

  /** Stores batch after batch until a write fails. Never rejects. */
  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize);
      try {
        await store.write(batch);
        waiting.splice(0, batch.length);
        failures = 0;
      } catch (error) {
        failures += 1;
        logger.warn({ error, waiting: waiting.length }, 'security events are not stored yet');
        if (failures < attempts) return;
        waiting.splice(0, batch.length);
        lost += batch.length;
        failures = 0;
      }
    }
    if (lost > 0) logger.warn({ lost }, 'security events were not stored: the log alone has them');
    lost = 0;
  }

  return {
    add(record) {
      if (isClosed || waiting.length >= maxWaiting) {
        lost += 1;
        return;
      }
      waiting.push({ record, atMs: clock.now() });
      schedule(gatherMs);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
      await flush();
    },
  };
}
