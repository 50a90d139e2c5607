import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger, Metrics } from '@lintel/telemetry';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { decodeEnvelope } from '../delivery/envelope-codec.ts';
import { createQueueMetrics, type QueueMetrics } from '../delivery/event-metrics.ts';
import { handleWithRetries } from '../delivery/handle-with-retries.ts';
import { KeyedQueue } from '../delivery/keyed-queue.ts';
import type { RetryPolicy } from '../delivery/retry-policy.ts';
import type { SubscribeOptions } from '../event-bus.ts';
import { declareJobQueue, declareReplicaQueue, declareWorkQueue } from './topology.ts';

export interface AmqpSubscriptionOptions extends SubscribeOptions {
  /** The service of this process: work queues are named after it. */
  readonly service: string;
  readonly prefetch: number;
  readonly retries: RetryPolicy;
  readonly logger: Logger;
  readonly metrics: Metrics | undefined;
  /** The broker ended the consumer or its channel; only a new connection restores the subscription. */
  readonly onLost: (model: ChannelModel, reason: string) => void;
}

/** How long a silent broker is waited for; what was not acknowledged goes back with the connection anyway. */
const CLOSE_TIMEOUT_MS = 2_000;

/** A consumer on one connection; the subscription outlives many of them. */
interface Session {
  readonly model: ChannelModel;
  readonly channel: Channel;
  readonly queue: string;
  /** Aborted when no more work is to be started: the broker delivers again what was not acknowledged. */
  readonly ended: AbortController;
}

/**
 * One subscription, across connections. The queue outlives a connection, so an event is never handled concurrently with
 * its own redelivery.
 */
export class AmqpSubscription {
  private readonly options: AmqpSubscriptionOptions;
  private readonly queue: KeyedQueue;
  private readonly measured: QueueMetrics;
  private session: Session | undefined;
  private closed = false;

  constructor(options: AmqpSubscriptionOptions) {
    this.options = options;
    this.queue = new KeyedQueue(options.prefetch);
    const { queue, service } = options;
    const name = queue.kind === 'replica' ? `${queue.service}.replica` : `${service}.${queue.name}`;
    this.measured = createQueueMetrics(options.metrics, name);
  }

  /** Declares the queue and consumes from it on this connection; does nothing if it already consumes. */
  async open(model: ChannelModel): Promise<void> {
    if (this.closed || this.session?.model === model) return;
    const channel = await model.createChannel();
    const ended = new AbortController();
    channel.on('error', (error) => this.options.logger.warn({ err: error }, 'The channel of a subscription failed'));
    channel.on('close', () => {
      ended.abort();
      if (this.session?.channel !== channel) return;
      this.session = undefined;
      // Deferred: if the whole connection is lost, its own handler runs before this callback.
      setImmediate(() => this.options.onLost(model, 'the channel of a subscription was closed'));
    });
    await channel.prefetch(this.options.prefetch);
    const session: Session = { model, channel, queue: await this.declareQueue(channel), ended };
    await channel.consume(session.queue, (message) => {
      if (message !== null) this.receive(session, message);
      else this.options.onLost(model, `the broker ended the consumer of ${session.queue}`);
    });
    this.session = session;
    if (this.closed) await this.endSession();
  }

  /** Accepts no more events and waits, at most `timeoutMs`, for the ones being handled. */
  async close(timeoutMs: number): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.session?.ended.abort();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([this.queue.idle(), timeout]);
    clearTimeout(timer);
    await this.endSession();
  }

  /**
   * Closes the channel without cancelling the consumer first: its unacknowledged events and its role as the active
   * consumer are then handed over in one step, so that the next consumer gets them before later ones.
   */
  private async endSession(): Promise<void> {
    const { session } = this;
    this.session = undefined;
    if (session === undefined) return;
    await Promise.race([
      // Rejects only if the channel is already closed.
      session.channel.close().catch(() => undefined),
      sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false }),
    ]);
  }

  private declareQueue(channel: Channel): Promise<string> {
    const { queue, types, service } = this.options;
    switch (queue.kind) {
      case 'work':
        return declareWorkQueue(channel, service, queue.name, types);
      case 'jobs':
        return declareJobQueue(channel, service, queue.name, types);
      case 'replica':
        return declareReplicaQueue(channel, queue.service, types);
      default:
        return queue satisfies never;
    }
  }

  private receive(session: Session, message: ConsumeMessage): void {
    if (this.closed) return;
    const { types, logger } = this.options;
    const { queue } = session;
    const decoded = decodeEnvelope(message.content);
    if ('poison' in decoded) {
      const eventId: unknown = message.properties.messageId;
      logger.error({ queue, eventId, reason: decoded.poison }, 'Undecodable event refused');
      sendOutcome(session, () => session.channel.nack(message, false, false));
      return;
    }
    const { envelope } = decoded;
    if (!types.includes(envelope.type)) {
      // Bound by an older version of the service; the binding outlives it.
      sendOutcome(session, () => session.channel.ack(message));
      return;
    }
    this.queue.add(envelope.subject ?? envelope.id, async () => {
      const outcome = await handleWithRetries(envelope, {
        queue,
        handle: this.options.handle,
        retries: this.options.retries,
        signal: session.ended.signal,
        logger,
        traceparent: traceparentOf(message),
        measured: this.measured,
      });
      if (outcome === 'handled') sendOutcome(session, () => session.channel.ack(message));
      else if (outcome === 'refused') sendOutcome(session, () => session.channel.nack(message, false, false));
    });
  }
}

/** Acknowledges or rejects a delivery. If the channel is closed, this has no effect: the broker delivers again. */
function sendOutcome(session: Session, send: () => void): void {
  try {
    send();
  } catch (error) {
    if (!session.ended.signal.aborted && !isClosed(error)) throw error;
  }
}

/** Trace context of the publishing, which is between the cause of the event and its handling. */
function traceparentOf({ properties }: ConsumeMessage): string | undefined {
  const header: unknown = properties.headers?.['traceparent'];
  return typeof header === 'string' ? header : undefined;
}

const isClosed = (error: unknown): boolean => error instanceof Error && error.name === 'IllegalOperationError';
