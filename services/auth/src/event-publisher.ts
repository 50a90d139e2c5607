import type { OwnWrites } from '@lintel/cache';
import type { Envelope, EventData, EventType } from '@lintel/contracts';
import { createEnvelope, type EventBus } from '@lintel/events';
import { type Logger, traceparentOf } from '@lintel/telemetry';
import type { Clock, IdSource } from './ports.ts';

/** Publishes events about sessions and tokens. */
export interface EventPublisher {
  /**
   * Resolves when the broker has confirmed the event, or after a second: the change itself is already stored, and
   * without the event caches are correct again after `svc.cache.max-staleness`. An event that could not be published
   * is published when the broker is available again. It also waits for the caches of the services that the event ends,
   * except for those of revoked tokens, since every refresh revokes one.
   */
  publish<T extends EventType>(type: T, subject: string, data: EventData<T>): Promise<void>;
  /** As `publish`, for many events of one type. */
  publishAll<T extends EventType>(type: T, all: readonly PublishedFact<T>[]): Promise<void>;
  /** Publishes without waiting; the event is dropped while the broker is not available. */
  offer<T extends EventType>(type: T, subject: string, data: EventData<T>): void;
}

export interface PublishedFact<T extends EventType> {
  readonly subject: string;
  readonly data: EventData<T>;
}

export interface EventPublisherDeps {
  readonly bus: EventBus;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly ownWrites: Pick<OwnWrites, 'settle'>;
}

const SETTLED: ReadonlySet<EventType> = new Set<EventType>([
  'auth.client.changed.v1',
  'auth.session.changed.v1',
  'auth.session.ended.v1',
]);
const MAX_WAITING = 10_000;
const MAX_WAIT_MS = 1_000;

export function createEventPublisher({ bus, logger, clock, ids, ownWrites }: EventPublisherDeps): EventPublisher {
  const waiting: Envelope[] = [];

  const send = async (envelopes: readonly Envelope[]): Promise<void> => {
    try {
      await bus.publish(envelopes);
    } catch (error) {
      logger.warn({ error, events: envelopes.length }, 'events of auth wait for the broker');
      waiting.push(...envelopes);
      waiting.splice(0, Math.max(0, waiting.length - MAX_WAITING));
    }
  };

  bus.onConnection((state) => {
    if (state === 'connected' && waiting.length > 0) void send(waiting.splice(0));
  });

  const toEnvelope = <T extends EventType>(type: T, { subject, data }: PublishedFact<T>): Envelope =>
    createEnvelope({
      owner: 'auth',
      type,
      subject,
      data,
      id: ids.next(),
      time: new Date(clock.now()),
      traceparent: traceparentOf(),
    });

  const publishAll: EventPublisher['publishAll'] = async (type, all) => {
    if (all.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT_MS);
    });
    await Promise.race([send(all.map((fact) => toEnvelope(type, fact))), late]);
    clearTimeout(timer);
    if (SETTLED.has(type)) await ownWrites.settle(all.map(({ data }) => ({ type, data })));
  };

  return {
    publish: (type, subject, data) => publishAll(type, [{ subject, data }]),
    publishAll,
    offer(type, subject, data) {
      bus.publish([toEnvelope(type, { subject, data })]).catch((error: unknown) => {
        logger.debug({ error, type }, 'an event was not published');
      });
    },
  };
}
