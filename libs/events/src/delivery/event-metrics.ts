import { type Counter, type Metrics, NO_METRICS } from '@lintel/telemetry';
import type { DeliveryOutcome } from './handle-with-retries.ts';

/** Counts what is published, by type of event. */
export interface PublishingMetrics {
  published(type: string): void;
  confirmed(type: string): void;
  returned(type: string): void;
}

/** Counts the deliveries from one queue. */
export interface QueueMetrics {
  began(): void;
  retried(): void;
  ended(outcome: DeliveryOutcome): void;
}

type PublishedName = 'lintel.events.published' | 'lintel.events.confirmed' | 'lintel.events.returned';

export function createPublishingMetrics(metrics: Metrics = NO_METRICS): PublishingMetrics {
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
  return {
    published: countBy('lintel.events.published'),
    confirmed: countBy('lintel.events.confirmed'),
    returned: countBy('lintel.events.returned'),
  };
}

/** @param queue its name; queues of single processes share one label, since the broker generates their names */
export function createQueueMetrics(metrics: Metrics = NO_METRICS, queue: string): QueueMetrics {
  const outcomes = {
    handled: metrics.counter('lintel.events.consumed', { queue, outcome: 'handled' }),
    refused: metrics.counter('lintel.events.consumed', { queue, outcome: 'refused' }),
    abandoned: metrics.counter('lintel.events.consumed', { queue, outcome: 'abandoned' }),
  };
  const retried = metrics.counter('lintel.events.retried', { queue });
  const deadLettered = metrics.counter('lintel.events.dead_lettered', { queue });
  let inFlight = 0;
  metrics.observe('lintel.events.in_flight', () => inFlight, { queue });
  return {
    began() {
      inFlight += 1;
    },
    retried: () => retried.add(1),
    ended(outcome) {
      inFlight -= 1;
      outcomes[outcome].add(1);
      if (outcome === 'refused') deadLettered.add(1);
    },
  };
}
