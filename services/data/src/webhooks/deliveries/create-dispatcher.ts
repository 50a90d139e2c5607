import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, type Metrics, NO_METRICS } from '@lintel/telemetry';
import type { DeliveryStore, Enqueued } from './create-delivery-store.ts';
import type { Outcome } from './deliver.ts';
import type { ClaimedDelivery } from './delivery.ts';

export interface DispatcherOptions {
  readonly store: Pick<DeliveryStore, 'enqueue' | 'replay' | 'claim' | 'release' | 'prune'>;
  readonly deliver: (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<Outcome>;
  readonly concurrency: number;
  readonly perWebhook: number;
  readonly leaseMs: number;
  readonly logRetentionMs: number;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  readonly metrics?: Metrics | undefined;
}

export interface Dispatcher {
  start(): void;
  /** Looks for due deliveries now. */
  wake(): void;
  /** Aborts and releases the running deliveries, and resolves when none runs. */
  stop(): Promise<void>;
}

/** Deliveries become due without a notification, those of other processes too. */
const POLL_INTERVAL_MS = 1_000;
const PRUNE_INTERVAL_MS = 10 * 60_000;

/** Claims due deliveries and sends them, concurrently with the dispatchers of the other processes. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  return new DatabaseDispatcher(options);
}

class DatabaseDispatcher implements Dispatcher {
  private readonly options: DispatcherOptions;
  private readonly ended = new AbortController();
  private readonly underWay = new Set<Promise<void>>();
  private running: Promise<void> | undefined;
  private woken = false;
  private endWait: (() => void) | undefined;
  private nextPruneMs = 0;

  constructor(options: DispatcherOptions) {
    this.options = options;
  }

  start(): void {
    this.running ??= this.run();
  }

  wake(): void {
    this.woken = true;
    this.endWait?.();
  }

  async stop(): Promise<void> {
    this.ended.abort();
    this.endWait?.();
    await this.running;
    await Promise.all(this.underWay);
  }

  private async run(): Promise<void> {
    while (!this.ended.signal.aborted) {
      this.woken = false;
      await this.prune();
      try {
        await this.look();
      } catch (err) {
        // Nothing is lost: the next query finds the same deliveries.
        this.options.logger.warn({ err }, 'Due deliveries of webhooks could not be read');
      }
      await this.wait();
    }
  }

  /** Old entries are removed even if no webhook is active any more. */
  private async prune(): Promise<void> {
    if (performance.now() < this.nextPruneMs) return;
    const { store, logRetentionMs, logger } = this.options;
    this.nextPruneMs = performance.now() + PRUNE_INTERVAL_MS;
    try {
      // The rest is removed in the next round, so that due deliveries do not wait for all of it.
      if (await store.prune(logRetentionMs)) this.nextPruneMs = 0;
    } catch (err) {
      logger.warn({ err }, 'Old deliveries of webhooks could not be removed');
    }
  }

  private async look(): Promise<void> {
    const { store, concurrency, perWebhook, leaseMs } = this.options;
    let enqueued: Enqueued;
    do enqueued = await store.enqueue();
    while (enqueued.hasMore && !this.ended.signal.aborted);
    if (!enqueued.isNeeded) return;
    const free = concurrency - this.underWay.size;
    if (free <= 0) return;
    try {
      await store.replay();
    } catch (err) {
      // Due deliveries are sent nevertheless.
      this.options.logger.error({ err }, 'Deliveries of webhooks could not be replayed');
    }
    for (const delivery of await store.claim(free, perWebhook, leaseMs)) {
      const done = this.carryOut(delivery).finally(() => {
        this.underWay.delete(done);
        // The next delivery of the instance or of the webhook may be due now.
        this.wake();
      });
      this.underWay.add(done);
    }
  }

  private async carryOut(delivery: ClaimedDelivery): Promise<void> {
    const { store, deliver, logger, metrics = NO_METRICS } = this.options;
    try {
      const outcome = await deliver(delivery, this.ended.signal);
      metrics.counter('lintel.webhooks.attempts', { outcome }).add(1);
    } catch (err) {
      // The process ends, or the log cannot be written. If the release fails too, the lease expires.
      if (!this.ended.signal.aborted) logger.error({ err, delivery: delivery.id }, 'A webhook could not be delivered');
      // An unavailable database is not queried in a tight loop.
      await sleep(POLL_INTERVAL_MS, undefined, { signal: this.ended.signal }).catch(() => undefined);
      await store.release(delivery).catch(() => undefined);
    }
  }

  private async wait(): Promise<void> {
    if (this.woken || this.ended.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_INTERVAL_MS);
      this.endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.endWait = undefined;
  }
}
