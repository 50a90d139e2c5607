import { createOutboxRelay, type EventBus } from '@lintel/events';
import { createOutboxStore, type Database, observeOutbox } from '@lintel/persistence';
import type { ServiceContext } from '@lintel/service';

/** Publishes the events of the outbox until the process stops, and measures what waits there. */
export function startOutboxRelay(
  { logger, metrics, clock, own }: Pick<ServiceContext<unknown>, 'logger' | 'metrics' | 'clock' | 'own'>,
  database: Database,
  bus: EventBus,
): void {
  observeOutbox(database, metrics);
  const relay = createOutboxRelay({ store: createOutboxStore(database), bus, logger, metrics, clock });
  relay.start();
  own({ close: () => relay.stop() });
}
