import { ownerOf } from '@lintel/contracts';
import { type Counter, errorTypeOf, type Histogram, type Metrics, NO_METRICS } from '@lintel/telemetry';

/** The names of the bus and of a destination in metrics and spans, as the semantic conventions of OpenTelemetry say. */
export interface Destination {
  readonly 'messaging.system.name': MessagingSystem;
  /** `<exchange>:<routing key>`, and `:<queue>` for a consumer. */
  readonly 'messaging.destination.name': string;
}

/** The others are our own: the conventions know no bus without a broker. */
export type MessagingSystem = 'rabbitmq' | 'in_process' | 'outbox';

const PUBLISH = { 'messaging.operation.name': 'publish', 'messaging.operation.type': 'send' } as const;
const PROCESS = { 'messaging.operation.name': 'process', 'messaging.operation.type': 'process' } as const;

/**
 * The destination of the events of a type, or the one that a queue takes them from.
 *
 * @param queue undefined for a publisher
 */
export const destinationOf = (system: MessagingSystem, type: string, queue?: string): Destination => ({
  'messaging.system.name': system,
  'messaging.destination.name': `${ownerOf(type)}.events:${type}${queue === undefined ? '' : `:${queue}`}`,
});

/** The attributes of the span of an operation. */
export const publishingAttributes = (to: Destination) => ({ ...to, ...PUBLISH });
export const processingAttributes = (from: Destination) => ({ ...from, ...PROCESS });

/** Measures what is sent and handled, by destination; their number is that of the types of events and queues. */
export interface MessagingMetrics {
  sent(to: Destination, durationMs: number, error?: unknown): void;
  consumed(from: Destination): void;
  processed(from: Destination, durationMs: number, error?: unknown): void;
}

export function createMessagingMetrics(metrics: Metrics = NO_METRICS): MessagingMetrics {
  // Failures are rare: only the series of the others are kept, by destination.
  const sent = new Map<string, { readonly messages: Counter; readonly durations: Histogram }>();
  const consumed = new Map<string, Counter>();
  const processed = new Map<string, Histogram>();
  const createSent = (to: Destination, error: unknown) => {
    const failure = { 'error.type': error === undefined ? undefined : errorTypeOf(error) };
    const { 'messaging.operation.name': name } = PUBLISH;
    return {
      messages: metrics.counter('messaging.client.sent.messages', {
        ...to,
        'messaging.operation.name': name,
        ...failure,
      }),
      durations: metrics.histogram('messaging.client.operation.duration', { ...to, ...PUBLISH, ...failure }),
    };
  };
  const createProcessed = (from: Destination, error: unknown) =>
    metrics.histogram('messaging.process.duration', {
      ...from,
      ...PROCESS,
      'error.type': error === undefined ? undefined : errorTypeOf(error),
    });
  return {
    sent(to, durationMs, error) {
      const { messages, durations } =
        error === undefined ? keptIn(sent, to, () => createSent(to, undefined)) : createSent(to, error);
      messages.add(1);
      durations.record(durationMs / 1_000);
    },
    consumed(from) {
      const create = () =>
        metrics.counter('messaging.client.consumed.messages', { ...from, 'messaging.operation.name': 'deliver' });
      keptIn(consumed, from, create).add(1);
    },
    processed(from, durationMs, error) {
      const durations =
        error === undefined
          ? keptIn(processed, from, () => createProcessed(from, undefined))
          : createProcessed(from, error);
      durations.record(durationMs / 1_000);
    },
  };
}

function keptIn<T>(series: Map<string, T>, { 'messaging.destination.name': name }: Destination, create: () => T): T {
  const kept = series.get(name) ?? create();
  series.set(name, kept);
  return kept;
}
