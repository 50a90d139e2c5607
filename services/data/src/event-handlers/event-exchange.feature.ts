import { hostname } from 'node:os';
import { type EventHandler, isEvent } from '@lintel/application';
import type { Envelope } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { createAmqpBus, createOutboxRelay, type EventBus, type OutboxRelay } from '@lintel/events';
import { createExchangeStore, createReceivedEvents, EXCHANGE_READER, setReading } from '@lintel/persistence';
import type { FeatureFactory } from '../feature.ts';
import { typesOf } from './declared-event.ts';

/** Characters of `id`, of `source` and of `subject`: the first two are a key of an index. */
const MAX_NAME_LENGTH = 255;
const MAX_SUBJECT_LENGTH = 1_000;
/** Characters of an event with its data, which has at most 256 KiB where Lintel publishes it. */
const MAX_EVENT_LENGTH = 300 * 1024;
/** An event is acknowledged when it is stored; one that the database refuses for good is a dead letter at once. */
const RETRIES = { maxAttempts: Number.POSITIVE_INFINITY, initialDelayMs: 100, maxDelayMs: 30_000 };

/** Exchanges events with other applications at a broker that they share (contract/events.md#other-applications). */
export const eventExchangeFeature: FeatureFactory = ({ ports, config: { exchangeUrls: urls } }) => {
  const { application, database, clock } = ports;
  const logger = ports.logger.child({ component: 'event-exchange' });
  const received = foreignTypes(application.eventHandlers);
  let bus: EventBus | undefined;
  let relay: OutboxRelay | undefined;
  return {
    async start() {
      await setReading(database, EXCHANGE_READER, urls.length > 0);
      if (urls.length === 0) {
        if (received.length > 0)
          logger.info({ types: received }, 'events of others are not received: svc.events.broker-urls is not set');
        return;
      }
      const service = application.id.toLowerCase();
      const instanceId = `${hostname()}-${process.pid}`;
      bus = await createAmqpBus({ urls, service, instanceId, clock, logger, retries: RETRIES });
      const store = createReceivedEvents(database);
      if (received.length > 0)
        await bus.subscribe({
          queue: { kind: 'work', name: 'received' },
          types: received,
          handle: async (envelope) => store.receive(bounded(envelope)),
        });
      const published = (application.events ?? []).map(({ type }) => type);
      relay = createOutboxRelay({ store: createExchangeStore(database, published), bus, logger, clock });
      relay.start();
    },
    async close() {
      await relay?.stop();
      await bus?.close();
    },
  };
};

const foreignTypes = (handlers: readonly EventHandler[] = []): readonly string[] => [
  ...new Set(handlers.flatMap(({ on }) => (isEvent(on) && on.source !== undefined ? typesOf(on) : []))),
];

/** @throws PlatformError that is not retried */
function bounded(envelope: Envelope): Envelope {
  const { id, source, subject = '' } = envelope;
  const isBounded =
    [id, source].every(({ length }) => length > 0 && length <= MAX_NAME_LENGTH) &&
    subject.length <= MAX_SUBJECT_LENGTH &&
    JSON.stringify(envelope).length <= MAX_EVENT_LENGTH;
  if (!isBounded) throw new PlatformError('REQ_BODY_TOO_LARGE', 'The event is too long');
  return envelope;
}
