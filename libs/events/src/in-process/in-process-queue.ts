import type { Envelope } from '@lintel/contracts';
import type { Logger, Metrics } from '@lintel/telemetry';
import { createQueueMetrics, type QueueMetrics } from '../delivery/event-metrics.ts';
import { handleWithRetries } from '../delivery/handle-with-retries.ts';
import { KeyedQueue } from '../delivery/keyed-queue.ts';
import type { RetryPolicy } from '../delivery/retry-policy.ts';

export interface InProcessConsumer {
  readonly types: ReadonlySet<string>;
  readonly handle: (envelope: Envelope) => Promise<void>;
}

export interface InProcessQueueOptions {
  readonly name: string;
  readonly prefetch: number;
  readonly retries: RetryPolicy;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  /** Whether it is the queue of a service, not of one subscription. */
  readonly isShared: boolean;
  /** Called with an event that its handler refused. */
  readonly onRefused: (envelope: Envelope) => void;
}

/** A queue in memory. Of several consumers only the first is active; the others replace it, as at the broker. */
export class InProcessQueue {
  readonly name: string;
  readonly isShared: boolean;
  private readonly options: InProcessQueueOptions;
  private readonly queue: KeyedQueue;
  private readonly measured: QueueMetrics;
  private readonly ended = new AbortController();
  private consumers: InProcessConsumer[] = [];
  private waiting = 0;

  constructor(options: InProcessQueueOptions) {
    this.name = options.name;
    this.isShared = options.isShared;
    this.options = options;
    this.queue = new KeyedQueue(options.prefetch);
    this.measured = createQueueMetrics(options.metrics, options.name, 'in_process');
  }

  /** Events that wait or are being handled. */
  get size(): number {
    return this.waiting;
  }

  get consumerCount(): number {
    return this.consumers.length;
  }

  takes(type: string): boolean {
    return !this.ended.signal.aborted && this.consumers.some((consumer) => consumer.types.has(type));
  }

  add(envelope: Envelope): void {
    this.waiting += 1;
    this.queue.add(envelope.subject ?? envelope.id, async () => {
      const { logger, retries } = this.options;
      const outcome = await handleWithRetries(envelope, {
        queue: this.name,
        // Looked up for each attempt: a consumer that left is replaced by the next one.
        handle: async (event) => this.consumers.find((consumer) => consumer.types.has(event.type))?.handle(event),
        retries,
        signal: this.ended.signal,
        logger,
        measured: this.measured,
      });
      this.waiting -= 1;
      if (outcome === 'refused') this.options.onRefused(envelope);
      if (outcome === 'abandoned') {
        logger.warn({ queue: this.name, eventId: envelope.id, eventType: envelope.type }, 'Event dropped at the end');
      }
    });
  }

  join(consumer: InProcessConsumer): void {
    this.consumers.push(consumer);
  }

  /** Returns whether it was the last consumer; then the queued events have been handled or dropped. */
  async leave(consumer: InProcessConsumer, drainTimeoutMs: number): Promise<boolean> {
    if (this.consumers.length > 1) {
      this.consumers = this.consumers.filter((other) => other !== consumer);
      return false;
    }
    if (this.consumers[0] !== consumer) return false;
    await this.close(drainTimeoutMs);
    return true;
  }

  /** Handles what is queued for at most `drainTimeoutMs`, then drops the rest. */
  async close(drainTimeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, drainTimeoutMs);
    });
    await Promise.race([this.queue.idle(), timeout]);
    clearTimeout(timer);
    this.ended.abort();
    this.consumers = [];
  }
}
