import type { Envelope } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { Logger, Metrics } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import { busUnavailable } from '../bus-unavailable.ts';
import { createPublishingMetrics } from '../delivery/event-metrics.ts';
import { HANDLER_RETRIES, type RetryPolicy } from '../delivery/retry-policy.ts';
import type { EventBus, SubscribeOptions, Subscription } from '../event-bus.ts';
import { AmqpConnection } from './amqp-connection.ts';
import { AmqpPublisher } from './amqp-publisher.ts';
import { AmqpSubscription } from './amqp-subscription.ts';

export interface AmqpBusOptions {
  /** Addresses of the broker's nodes (`amqp://user:password@host:port/vhost`), tried one after the other. */
  readonly urls: readonly string[];
  /** The setting with the addresses; `svc.broker.urls` by default. */
  readonly property?: string;
  /** Work queues and dead letters are named after it. */
  readonly service: string;
  /** Identifies the replica in the broker's list of connections. */
  readonly instanceId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  /** Events one subscription handles at a time. */
  readonly prefetch?: number;
  readonly retries?: RetryPolicy;
  /** How long `publish` waits for a connection, and again for the confirms. */
  readonly publishTimeoutMs?: number;
  /** How long `createAmqpBus` waits for the first connection. */
  readonly connectTimeoutMs?: number;
  /** How long a node may take to accept a connection before the next address is tried. */
  readonly responseTimeoutMs?: number;
  /** A broker that was silent for two whole heartbeats counts as lost: within three of them. */
  readonly heartbeatSeconds?: number;
  /** How long `close` waits for events that are being handled. */
  readonly drainTimeoutMs?: number;
}

/**
 * The bus over AMQP 0-9-1 (RabbitMQ). Delivers at least once, in order per subject. It reconnects automatically,
 * without a limit. If the first connection takes longer than `connectTimeoutMs`, the bus is returned
 * unconnected: the service starts, reports that it is not ready, and tries again.
 */
export async function createAmqpBus(options: AmqpBusOptions): Promise<EventBus> {
  if (options.urls.length === 0 || !options.urls.every((url) => /^amqps?:\/\/./.test(url) && URL.canParse(url))) {
    throw new PlatformError('INTERNAL_ERROR', '', { cause: new Error('The bus needs addresses amqp(s)://…') });
  }
  const bus = new AmqpBus(options);
  await bus.open();
  return bus;
}

class AmqpBus implements EventBus {
  private readonly options: AmqpBusOptions;
  private readonly connection: AmqpConnection;
  private readonly publisher: AmqpPublisher;
  private readonly subscriptions = new Set<AmqpSubscription>();
  private readonly publishTimeoutMs: number;
  private readonly drainTimeoutMs: number;
  private closed = false;

  constructor(options: AmqpBusOptions) {
    this.options = options;
    this.publishTimeoutMs = options.publishTimeoutMs ?? 5_000;
    this.drainTimeoutMs = options.drainTimeoutMs ?? 10_000;
    this.publisher = new AmqpPublisher({
      service: options.service,
      confirmTimeoutMs: this.publishTimeoutMs,
      logger: options.logger,
      measured: createPublishingMetrics(options.metrics),
    });
    this.connection = new AmqpConnection({
      urls: options.urls,
      property: options.property ?? 'svc.broker.urls',
      name: `lintel ${options.service} ${options.instanceId}`,
      heartbeatSeconds: options.heartbeatSeconds ?? 5,
      responseTimeoutMs: options.responseTimeoutMs ?? 5_000,
      logger: options.logger,
      setUp: async (model) => {
        for (const subscription of this.subscriptions) await subscription.open(model);
      },
    });
    // A subscription that was added at the end of the set-up is opened now.
    this.connection.onState(() => void this.openMissing());
  }

  async open(): Promise<void> {
    this.connection.start();
    const startedMs = this.options.clock.now();
    try {
      await this.connection.waitUntilConnected(this.options.connectTimeoutMs ?? 10_000);
    } catch {
      // Each attempt that failed is in the log with its cause.
      const waitedMs = this.options.clock.now() - startedMs;
      this.options.logger.warn({ waitedMs }, 'Starting without the message broker');
    }
  }

  async publish(envelopes: readonly Envelope[]): Promise<void> {
    if (this.closed) throw busUnavailable('The bus is closed');
    if (envelopes.length === 0) return;
    const model = await this.connection.waitUntilConnected(this.publishTimeoutMs);
    await this.publisher.publish(model, envelopes);
  }

  async subscribe(options: SubscribeOptions): Promise<Subscription> {
    if (this.closed) throw busUnavailable('The bus is closed');
    const subscription = new AmqpSubscription({
      ...options,
      service: this.options.service,
      prefetch: options.queue.kind === 'jobs' ? options.queue.concurrency : (this.options.prefetch ?? 32),
      retries: this.options.retries ?? HANDLER_RETRIES,
      logger: this.options.logger,
      metrics: this.options.metrics,
      onLost: (model, reason) => this.connection.reset(model, reason),
    });
    this.subscriptions.add(subscription);
    const { model } = this.connection;
    try {
      // Without a connection the consumer is declared with the next one.
      if (model !== undefined) await subscription.open(model);
    } catch (error) {
      if (this.connection.model === model) {
        this.subscriptions.delete(subscription);
        throw new PlatformError('INTERNAL_ERROR', '', { cause: error });
      }
      this.options.logger.warn({ err: error }, 'Connection lost while subscribing; subscribing with the next one');
    }
    return {
      close: async () => {
        this.subscriptions.delete(subscription);
        await subscription.close(this.drainTimeoutMs);
      },
    };
  }

  private async openMissing(): Promise<void> {
    const { model } = this.connection;
    if (model === undefined) return;
    try {
      for (const subscription of this.subscriptions) await subscription.open(model);
    } catch (error) {
      this.options.logger.warn({ err: error }, 'Subscribing failed');
      this.connection.reset(model, 'a subscription could not be made');
    }
  }

  onConnection(listener: (state: 'connected' | 'disconnected') => void): void {
    this.connection.onState(listener);
  }

  isConnected(): boolean {
    return this.connection.model !== undefined;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await Promise.all([...this.subscriptions].map((subscription) => subscription.close(this.drainTimeoutMs)));
    this.subscriptions.clear();
    await this.connection.close();
  }
}
