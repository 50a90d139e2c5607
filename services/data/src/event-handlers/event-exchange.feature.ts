import { hostname } from 'node:os';
import { type EventHandler, isEvent, type OwnEvent } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import { createAmqpBus, createBatches, createOutboxRelay, type EventBus, type OutboxRelay } from '@lintel/events';
import {
  createExchangeStore,
  createReceivedEvents,
  EXCHANGE_READER,
  setReading,
  unreadAgeOf,
} from '@lintel/persistence';
import type { FeatureFactory } from '../feature.ts';
import { typesOf } from './declared-event.ts';
import { receiveAll } from './receive-all.ts';
import { textOfEvent } from './text-of-event.ts';

/** An event is acknowledged when it is stored; one that the database refuses for good is a dead letter at once. */
const RETRIES = { maxAttempts: Number.POSITIVE_INFINITY, initialDelayMs: 100, maxDelayMs: 30_000 };

/** The service starts without the broker of others. */
const CONNECT_TIMEOUT_MS = 1_000;
/** Events that are stored together, on one connection: requests need the others. */
const MAX_TOGETHER = 50;

/** Exchanges events with other applications at a broker that they share (contract/events.md#other-applications). */
export const eventExchangeFeature: FeatureFactory = ({ ports, config: { exchangeUrls: urls } }) => {
  const { application, database, clock, metrics } = ports;
  const logger = ports.logger.child({ component: 'event-exchange' });
  const foreign = foreignEvents(application.eventHandlers);
  const received = [...new Set(foreign.flatMap(typesOf))];
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
      bus = await createAmqpBus({
        ...{ urls, property: 'svc.events.broker-urls', service, instanceId, clock, logger, metrics, retries: RETRIES },
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        prefetch: MAX_TOGETHER,
      });
      metrics?.observe('lintel.exchange.unread_age', () => unreadAgeOf(database, EXCHANGE_READER));
      const store = createReceivedEvents(database);
      const refusalOf = createBatches((texts) => receiveAll([...texts], store));
      if (received.length > 0)
        await bus.subscribe({
          queue: { kind: 'work', name: 'received' },
          types: received,
          async handle(envelope) {
            const { type, source } = envelope;
            // No handler could ever handle it: only events that one can are kept in the database.
            if (!foreign.some((on) => on.source === source && typesOf(on).includes(type)))
              throw new PlatformError('DATA_VALIDATION_FAILED', `No event ${type} with this source is declared`);
            const refusal = await refusalOf(textOfEvent(envelope));
            if (refusal !== undefined) throw refusal;
          },
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

const foreignEvents = (handlers: readonly EventHandler[] = []): readonly OwnEvent[] =>
  handlers.flatMap(({ on }) => (isEvent(on) && on.source !== undefined ? [on] : []));
