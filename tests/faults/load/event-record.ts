import { createAmqpBus } from '@lintel/events';
import { createLogger } from '@lintel/telemetry';

export interface RecordedEvent {
  readonly id: string;
  readonly change: string;
}

/** What a consumer on the broker was given. */
export interface EventRecord {
  /** The events of one instance, each at its first delivery. */
  eventsOf(instanceId: string): readonly RecordedEvent[];
  close(): Promise<void>;
}

interface EntityChange {
  readonly entity: string;
  readonly id: unknown;
  readonly change: string;
}

/** Listens to all changes of entities with a durable queue, as a service of somebody else would. */
export async function recordEvents(brokerUrl: string): Promise<EventRecord> {
  const bus = await createAmqpBus({
    urls: [brokerUrl],
    service: 'checker',
    instanceId: String(process.pid),
    clock: { now: () => Date.now() },
    logger: createLogger({ service: 'checker', level: 'silent' }),
  });
  const seen = new Set<string>();
  const byInstance = new Map<string, RecordedEvent[]>();
  await bus.subscribe({
    queue: { kind: 'work', name: 'changes' },
    types: ['data.entity.changed.v1'],
    handle: async (envelope) => {
      if (seen.has(envelope.id)) return;
      seen.add(envelope.id);
      const { id, change } = envelope.data as EntityChange;
      const events = byInstance.get(String(id));
      if (events === undefined) byInstance.set(String(id), [{ id: envelope.id, change }]);
      else events.push({ id: envelope.id, change });
    },
  });
  return { eventsOf: (instanceId) => byInstance.get(instanceId) ?? [], close: () => bus.close() };
}
