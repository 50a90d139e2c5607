import type { Application } from '@lintel/application';
import type { Envelope } from '@lintel/contracts';
import { createInProcessBus, createOutboxRelay } from '@lintel/events';
import { createOutboxStore } from '@lintel/persistence';
import type { Settled, TestDatabase } from '@lintel/testkit';
import { startDataOn, type TestUser } from '../data-fixture.ts';

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => SILENT };

/** The data service with an outbox relay and the bus of one process. */
export async function startWithRelay(
  database: Pick<TestDatabase, 'url' | 'query'>,
  application: Application,
  users: Readonly<Record<string, TestUser>>,
  settings: Settled = {},
  more: Parameters<typeof startDataOn>[5] = {},
) {
  const data = await startDataOn(database, application, users, settings, undefined, more);
  const bus = createInProcessBus({ logger: SILENT }).forService('data');
  const published: Envelope[] = [];
  const types = (application.events ?? []).map(({ type }) => type);
  await bus.subscribe({
    queue: { kind: 'replica', service: 'test' },
    types,
    handle: async (envelope) => void published.push(envelope),
  });
  const relay = createOutboxRelay({
    store: createOutboxStore(data.database),
    bus,
    logger: SILENT,
    clock: { now: () => Date.now() },
  });
  await data.service.start();
  relay.start();
  return {
    ...data,
    /** The own events of the bus. */
    published,
    async close() {
      await relay.stop();
      await bus.close();
      await data.close();
    },
  };
}

export type DataWithRelay = Awaited<ReturnType<typeof startWithRelay>>;
