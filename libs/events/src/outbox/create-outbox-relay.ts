import type { Logger, Metrics } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import { type RetryPolicy, retryDelayMs } from '../delivery/retry-policy.ts';
import type { EventBus } from '../event-bus.ts';
import type { OutboxEntry, OutboxStore } from '../outbox-store.ts';

export interface OutboxRelayOptions {
  readonly store: OutboxStore;
  readonly bus: EventBus;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics?: Metrics;
  /** Maximum of entries of one batch. */
  readonly batchSize?: number;
  /** Looks at the outbox this often even when nothing wakes it: a wake-up may be lost, an entry may not. */
  readonly pollIntervalMs?: number;
  /** Delays after a batch that failed. */
  readonly backOff?: Pick<RetryPolicy, 'initialDelayMs' | 'maxDelayMs'>;
}

/** Publishes the events of the outbox from `start` to `stop`. */
export interface OutboxRelay {
  start(): void;
  /** Starts no new batch and resolves when the running one is published and recorded, or has failed. */
  stop(): Promise<void>;
  /** Age of the oldest unpublished entry that the relay has seen, milliseconds; 0 if there is none. */
  oldestAgeMs(): number;
}

const BACK_OFF = { initialDelayMs: 100, maxDelayMs: 5_000 };

/**
 * Publishes events from the outbox to the bus: at least once, in the outbox's order. The store sets an entry published
 * only after the bus has confirmed it; a failed batch is repeated in the next round.
 */
export function createOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  return new Relay(options);
}

class Relay implements OutboxRelay {
  private readonly options: OutboxRelayOptions;
  private readonly batchSize: number;
  private readonly pollIntervalMs: number;
  private running: Promise<void> | undefined;
  private listening: { close(): Promise<void> } | undefined;
  private stopping = false;
  private woken = false;
  private endWait: (() => void) | undefined;
  private oldestTimeMs: number | undefined;

  constructor(options: OutboxRelayOptions) {
    this.options = options;
    this.batchSize = options.batchSize ?? 100;
    this.pollIntervalMs = options.pollIntervalMs ?? 1_000;
    options.bus.onConnection((state) => {
      if (state === 'connected') this.wake();
    });
  }

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.running;
    await this.listening?.close();
    this.listening = undefined;
  }

  oldestAgeMs(): number {
    return this.oldestTimeMs === undefined ? 0 : Math.max(0, this.options.clock.now() - this.oldestTimeMs);
  }

  private async run(): Promise<void> {
    const { bus, logger } = this.options;
    let failures = 0;
    while (!this.stopping) {
      this.woken = false;
      // Without a broker nothing can be published, so no transaction is opened.
      if (!bus.isConnected()) {
        await this.wait(this.pollIntervalMs);
        continue;
      }
      try {
        await this.listen();
        const count = await this.relayBatch();
        failures = 0;
        if (count < this.batchSize && !this.woken) await this.wait(this.pollIntervalMs);
      } catch (error) {
        failures += 1;
        const delayMs = retryDelayMs(this.options.backOff ?? BACK_OFF, failures);
        logger.warn({ err: error, failures, delayMs }, 'Outbox not relayed, trying again');
        this.options.metrics?.counter('lintel.outbox.failures').add(1);
        await this.wait(delayMs, 'until stopped');
      }
    }
  }

  private async relayBatch(): Promise<number> {
    const { store, bus, metrics } = this.options;
    let published = 0;
    const count = await store.relay(this.batchSize, async (entries) => {
      this.oldestTimeMs = oldestOf(entries);
      await bus.publish(entries.map((entry) => entry.envelope));
      published = entries.length;
    });
    if (published > 0) metrics?.counter('lintel.outbox.published').add(published);
    if (count < this.batchSize) this.oldestTimeMs = undefined;
    return count;
  }

  private async listen(): Promise<void> {
    if (this.listening !== undefined) return;
    try {
      this.listening = await this.options.store.listen(() => this.wake());
    } catch (error) {
      // The periodic polling continues meanwhile.
      this.options.logger.warn({ err: error }, 'No notifications of new outbox entries, trying again');
    }
  }

  private wake(): void {
    this.woken = true;
    this.endWait?.();
  }

  /** Ends early when woken; `until stopped`: only by `stop`, so that new entries do not defeat the back-off. */
  private async wait(timeoutMs: number, mode: 'until woken' | 'until stopped' = 'until woken'): Promise<void> {
    if (this.stopping || (this.woken && mode === 'until woken')) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.endWait = undefined;
        resolve();
      };
      const timer = setTimeout(end, timeoutMs);
      this.endWait = () => {
        if (mode === 'until woken' || this.stopping) end();
      };
    });
  }
}

function oldestOf(entries: readonly OutboxEntry[]): number | undefined {
  const [first] = entries;
  return first === undefined ? undefined : Date.parse(first.envelope.time);
}
