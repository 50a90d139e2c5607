import { type Envelope, ownerOf } from '@lintel/contracts';
import { isTracing, type Logger, traceparentOf, withRemoteSpan } from '@lintel/telemetry';
import type { ChannelModel, ConfirmChannel } from 'amqplib';
import { busUnavailable } from '../bus-unavailable.ts';
import { ENVELOPE_CONTENT_TYPE, encodeEnvelope } from '../delivery/envelope-codec.ts';
import type { PublishingMetrics } from '../delivery/event-metrics.ts';
import { publishingAttributes } from '../delivery/messaging-metrics.ts';
import { declareExchange, exchangeOf } from './topology.ts';

/** The confirm channel of one connection. */
interface PublishingChannel {
  readonly channel: ConfirmChannel;
  /** Owners whose exchange was declared on this channel. */
  readonly declared: Map<string, Promise<void>>;
  /** Ids of events that the broker returned before their confirm. */
  readonly returned: Set<string>;
}

/** Publishes with confirms. Events are sent in order on one channel, so every queue gets them in this order. */
export class AmqpPublisher {
  private readonly service: string;
  private readonly confirmTimeoutMs: number;
  private readonly logger: Logger;
  private readonly measured: PublishingMetrics;
  private current: { readonly model: ChannelModel; readonly opening: Promise<PublishingChannel> } | undefined;

  constructor(options: {
    readonly service: string;
    readonly confirmTimeoutMs: number;
    readonly logger: Logger;
    readonly measured: PublishingMetrics;
  }) {
    this.measured = options.measured;
    this.service = options.service;
    this.confirmTimeoutMs = options.confirmTimeoutMs;
    this.logger = options.logger;
  }

  /**
   * Resolves when the broker has confirmed all events.
   *
   * @throws PlatformError BUS_UNAVAILABLE; some of the events may have been published then
   */
  async publish(model: ChannelModel, envelopes: readonly Envelope[]): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('No confirm in time')), this.confirmTimeoutMs);
    });
    try {
      await Promise.race([this.publishAll(model, envelopes), timeout]);
    } catch (error) {
      throw busUnavailable('The message broker did not confirm an event', error);
    } finally {
      clearTimeout(timer);
    }
  }

  private async publishAll(model: ChannelModel, envelopes: readonly Envelope[]): Promise<void> {
    const publishing = await this.channelOf(model);
    for (const owner of new Set(envelopes.map((envelope) => ownerOf(envelope.type)))) {
      await this.declareOnce(publishing, owner);
    }
    // All are handed over before the first is waited for: a rejection in between leaves no gap that a
    // later event of the same subject could slip through.
    await Promise.all(envelopes.map((envelope) => this.publishTraced(publishing, envelope)));
  }

  /** In the trace of the request that caused the event, not in that of the relay. */
  private publishTraced(publishing: PublishingChannel, envelope: Envelope): Promise<void> {
    const { type, traceparent } = envelope;
    if (!isTracing()) return this.publishOne(publishing, envelope, traceparent);
    const to = this.measured.destinationOf(type);
    const attributes = { ...publishingAttributes(to), 'messaging.message.id': envelope.id };
    const publish = () => this.publishOne(publishing, envelope, traceparentOf());
    return withRemoteSpan(`publish ${to['messaging.destination.name']}`, attributes, traceparent, publish, 'producer');
  }

  private publishOne(
    publishing: PublishingChannel,
    envelope: Envelope,
    traceparent: string | undefined,
  ): Promise<void> {
    const { channel, returned, declared } = publishing;
    const sinceMs = performance.now();
    const ended = (error?: unknown) => this.measured.sent(envelope.type, performance.now() - sinceMs, error);
    this.measured.published(envelope.type);
    return new Promise((resolve, reject) => {
      channel.publish(
        exchangeOf(ownerOf(envelope.type)),
        envelope.type,
        encodeEnvelope(envelope),
        {
          // Unroutable events go to the alternate exchange. A returned one means that this exchange is missing.
          mandatory: true,
          persistent: true,
          contentType: ENVELOPE_CONTENT_TYPE,
          messageId: envelope.id,
          type: envelope.type,
          timestamp: Math.floor(Date.parse(envelope.time) / 1_000),
          appId: this.service,
          ...(traceparent === undefined ? {} : { headers: { traceparent } }),
        },
        (error) => {
          if (error !== null) {
            ended(error);
            reject(error);
          } else if (returned.delete(envelope.id)) {
            declared.clear();
            this.measured.returned(envelope.type);
            const failure = new Error('The event was returned: exchanges or queues of the topology are missing');
            ended(failure);
            reject(failure);
          } else {
            ended();
            this.measured.confirmed(envelope.type);
            resolve();
          }
        },
      );
    });
  }

  private channelOf(model: ChannelModel): Promise<PublishingChannel> {
    if (this.current?.model === model) return this.current.opening;
    const opening = this.open(model);
    this.current = { model, opening };
    opening.catch(() => this.forget(opening));
    return opening;
  }

  private async open(model: ChannelModel): Promise<PublishingChannel> {
    const channel = await model.createConfirmChannel();
    const returned = new Set<string>();
    channel.on('return', ({ properties, fields }) => {
      const eventId = String(properties.messageId);
      returned.add(eventId);
      const { replyText: reason } = fields as { readonly replyText?: string };
      const about = { eventId, eventType: properties.type, reason };
      this.logger.warn(about, 'The broker returned an event: exchanges or queues of the topology are missing');
    });
    channel.on('error', (error) => this.logger.warn({ err: error }, 'The publishing channel failed'));
    channel.on('close', () => {
      if (this.current?.model === model) this.current = undefined;
    });
    return { channel, declared: new Map(), returned };
  }

  private declareOnce(publishing: PublishingChannel, owner: string): Promise<void> {
    const known = publishing.declared.get(owner);
    if (known !== undefined) return known;
    const declaring = declareExchange(publishing.channel, owner);
    publishing.declared.set(owner, declaring);
    declaring.catch(() => publishing.declared.delete(owner));
    return declaring;
  }

  private forget(opening: Promise<PublishingChannel>): void {
    if (this.current?.opening === opening) this.current = undefined;
  }
}
