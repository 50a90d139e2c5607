import { type Counter, type Metrics, NO_METRICS } from '@lintel/telemetry';
import type { DeliveryOutcome } from './handle-with-retries.ts';
import { createMessagingMetrics, type Destination, destinationOf, type MessagingSystem } from './messaging-metrics.ts';

/** Counts what is published, by type of event. */
export interface PublishingMetrics {
  /** The name of the destination in metrics and spans. */
  destinationOf(type: string): Destination;
  /** Measures an event that was sent, with the error if it was not confirmed. */
  sent(type: string, durationMs: number, error?: unknown): void;
  published(type: string): void;
  confirmed(type: string): void;
  returned(type: string): void;
}

/** Counts the deliveries from one queue. */
export interface QueueMetrics {
  /** The name of the destination in metrics and spans. */
  destinationOf(type: string): Destination;
  began(type: string): void;
  /** Measures an attempt to handle an event. */
  attempted(type: string, durationMs: number, error?: unknown): void;
  retried(): void;
  ended(outcome: DeliveryOutcome): void;
}

type PublishedName = 'lintel.events.published' | 'lintel.events.confirmed' | 'lintel.events.returned';

export function createPublishingMetrics(
  metrics: Metrics = NO_METRICS,
  system: MessagingSystem = 'rabbitmq',
): PublishingMetrics {
  const countBy = (name: PublishedName) => {
    const counters = new Map<string, Counter>();
    return (type: string): void => {
      let counter = counters.get(type);
      if (counter === undefined) {
        counter = metrics.counter(name, { type });
        counters.set(type, counter);
      }
      counter.add(1);
    };
  };
  const messaging = createMessagingMetrics(metrics);
  const destinations = keepDestinations((type) => destinationOf(system, type));
  return {
    destinationOf: destinations,
    sent: (type, durationMs, error) => messaging.sent(destinations(type), durationMs, error),
    published: countBy('lintel.events.published'),
    confirmed: countBy('lintel.events.confirmed'),
    returned: countBy('lintel.events.returned'),
  };
}

/** @param queue its name; queues of single processes share one label, since the broker generates their names */
export function createQueueMetrics(
  metrics: Metrics = NO_METRICS,
  queue: string,
  system: MessagingSystem = 'rabbitmq',
): QueueMetrics {
  const outcomes = {
    handled: metrics.counter('lintel.events.consumed', { queue, outcome: 'handled' }),
    refused: metrics.counter('lintel.events.consumed', { queue, outcome: 'refused' }),
    abandoned: metrics.counter('lintel.events.consumed', { queue, outcome: 'abandoned' }),
  };
  const retried = metrics.counter('lintel.events.retried', { queue });
  const deadLettered = metrics.counter('lintel.events.dead_lettered', { queue });
  let inFlight = 0;
  metrics.observe('lintel.events.in_flight', () => inFlight, { queue });
  const messaging = createMessagingMetrics(metrics);
  const destinations = keepDestinations((type) => destinationOf(system, type, queue));
  return {
    destinationOf: destinations,
    began(type) {
      inFlight += 1;
      messaging.consumed(destinations(type));
    },
    attempted: (type, durationMs, error) => messaging.processed(destinations(type), durationMs, error),
    retried: () => retried.add(1),
    ended(outcome) {
      inFlight -= 1;
      outcomes[outcome].add(1);
      if (outcome === 'refused') deadLettered.add(1);
    },
  };
}

/** The types of events are few: the destination of each is made once. */
function keepDestinations(create: (type: string) => Destination): (type: string) => Destination {
  const kept = new Map<string, Destination>();
  return (type) => {
    let destination = kept.get(type);
    if (destination === undefined) {
      destination = create(type);
      kept.set(type, destination);
    }
    return destination;
  };
}
