import { type Envelope, envelopeSchema } from '@lintel/contracts';
import type { Logger, Metrics } from '@lintel/telemetry';
import type { EventAdministration } from '../administration/event-administration.ts';
import { busUnavailable } from '../bus-unavailable.ts';
import { decodeEnvelope, encodeEnvelope } from '../delivery/envelope-codec.ts';
import { createPublishingMetrics, type PublishingMetrics } from '../delivery/event-metrics.ts';
import { HANDLER_RETRIES, type RetryPolicy } from '../delivery/retry-policy.ts';
import type { EventBus, SubscribeOptions, Subscription } from '../event-bus.ts';
import { createInProcessAdministration } from './create-in-process-administration.ts';
import { InProcessDeadLetters } from './in-process-dead-letters.ts';
import { InProcessQueue } from './in-process-queue.ts';

export interface InProcessBusOptions {
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  /** Events one queue handles at a time. */
  readonly prefetch?: number;
  readonly retries?: RetryPolicy;
  /** How long `close` waits for events that are queued or being handled. */
  readonly drainTimeoutMs?: number;
}

/** The bus inside one process, and the view each service of that process gets of it. */
export interface InProcessBus extends EventBus {
  /** A bus whose work queues have the service's name as prefix. `close` ends only the service's subscriptions. */
  forService(service: string): EventBus;
  readonly administration: EventAdministration;
}

/**
 * The bus of standalone mode: the promises of the AMQP bus without a broker. `publish` resolves when every
 * queue has the events; what is queued is lost with the process, as are the caches and sessions it concerns.
 */
export function createInProcessBus(options: InProcessBusOptions): InProcessBus {
  const hub = new Hub(options);
  return Object.assign(new InProcessView(hub, ''), {
    forService: (service: string): EventBus => new InProcessView(hub, `${service}.`),
    administration: createInProcessAdministration(hub.queues, hub.deadLetters),
    close: () => hub.close(),
  });
}

/** The queues of the process. */
class Hub {
  readonly options: InProcessBusOptions;
  readonly queues = new Set<InProcessQueue>();
  readonly deadLetters = new InProcessDeadLetters(({ queue, id: eventId, type: eventType }) =>
    this.options.logger.warn({ queue, eventId, eventType }, 'There are too many dead letters: the oldest was dropped'),
  );
  readonly listeners: ((state: 'connected' | 'disconnected') => void)[] = [];
  readonly drainTimeoutMs: number;
  readonly measured: PublishingMetrics;
  closed = false;

  constructor(options: InProcessBusOptions) {
    this.options = options;
    this.drainTimeoutMs = options.drainTimeoutMs ?? 10_000;
    this.measured = createPublishingMetrics(options.metrics, 'in_process');
  }

  publish(envelopes: readonly Envelope[]): void {
    for (const envelope of envelopes) {
      const sinceMs = performance.now();
      this.measured.published(envelope.type);
      // Through bytes, as over the wire: no handler sees another's changes, and nothing but JSON arrives.
      const bytes = encodeEnvelope(envelopeSchema.parse(envelope));
      for (const queue of this.queues) {
        if (!queue.takes(envelope.type)) continue;
        const decoded = decodeEnvelope(bytes);
        if ('envelope' in decoded) queue.add(decoded.envelope);
        else {
          const about = { queue: queue.name, eventId: envelope.id, reason: decoded.poison };
          this.options.logger.error(about, 'Undecodable event refused');
          this.deadLetters.add(queue.name, envelope, new Date());
        }
      }
      this.measured.confirmed(envelope.type);
      this.measured.sent(envelope.type, performance.now() - sinceMs);
    }
  }

  queueOf(name: string, exclusive: boolean, concurrency = this.options.prefetch ?? 32): InProcessQueue {
    for (const queue of this.queues) if (!exclusive && queue.name === name) return queue;
    const { logger, metrics, retries } = this.options;
    const queue = new InProcessQueue({
      name,
      logger,
      metrics,
      prefetch: concurrency,
      retries: retries ?? HANDLER_RETRIES,
      isShared: !exclusive,
      onRefused: (envelope) => this.deadLetters.add(name, envelope, new Date()),
    });
    this.queues.add(queue);
    return queue;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await Promise.all([...this.queues].map((queue) => queue.close(this.drainTimeoutMs)));
    this.queues.clear();
    for (const listener of this.listeners) listener('disconnected');
  }
}

class InProcessView implements EventBus {
  private readonly hub: Hub;
  private readonly prefix: string;
  private readonly subscriptions = new Set<Subscription>();
  private closed = false;

  constructor(hub: Hub, prefix: string) {
    this.hub = hub;
    this.prefix = prefix;
  }

  async publish(envelopes: readonly Envelope[]): Promise<void> {
    this.assertOpen();
    this.hub.publish(envelopes);
  }

  async subscribe({ queue, types, handle }: SubscribeOptions): Promise<Subscription> {
    this.assertOpen();
    const replica = queue.kind === 'replica';
    const target = this.hub.queueOf(
      replica ? `${queue.service}.replica` : this.prefix + queue.name,
      replica,
      queue.kind === 'jobs' ? queue.concurrency : undefined,
    );
    const consumer = { types: new Set(types), handle };
    target.join(consumer);
    const subscription: Subscription = {
      close: async () => {
        this.subscriptions.delete(subscription);
        const last = await target.leave(consumer, this.hub.drainTimeoutMs);
        if (last) this.hub.queues.delete(target);
      },
    };
    this.subscriptions.add(subscription);
    return subscription;
  }

  onConnection(listener: (state: 'connected' | 'disconnected') => void): void {
    this.hub.listeners.push(listener);
  }

  isConnected(): boolean {
    return !this.closed && !this.hub.closed;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.subscriptions].map((subscription) => subscription.close()));
  }

  private assertOpen(): void {
    if (!this.isConnected()) throw busUnavailable('The bus is closed');
  }
}
