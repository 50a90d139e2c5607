import type { Envelope } from '@lintel/contracts';
import { createMemoryStore } from '../stores/create-memory-store.ts';
import { createOwnWrites, type OwnWrites, type StaleFact } from './own-writes.ts';

const ROLES: StaleFact = { type: 'data.roles.changed.v1', data: {} };
const TEXTS: StaleFact = { type: 'data.messages.changed.v1', data: {} };

let nowMs = 0;
const createStore = () => createMemoryStore({ clock: { now: () => nowMs } });
const warnings: string[] = [];
const logger = { warn: (_fields: object, text: string) => void warnings.push(text) };
beforeEach(() => void warnings.splice(0));

/** Processes that share a bus and a store. */
function createSystem(store = createStore()) {
  const deliveries: ((event: Envelope) => Promise<void>)[] = [];
  const published: Envelope[] = [];
  let isConnected = true;
  let ids = 0;
  const bus = {
    async publish(events: readonly Envelope[]) {
      published.push(...events);
      for (const event of events) for (const deliver of deliveries) void deliver(event);
    },
    isConnected: () => isConnected,
  };
  return {
    published,
    disconnect: () => {
      isConnected = false;
    },
    async start(service: string, types: readonly string[], apply = async (_event: Envelope): Promise<void> => {}) {
      const newId = () => {
        ids += 1;
        return String(ids);
      };
      const ownWrites = createOwnWrites({ service, store, newId, logger });
      const { handle } = ownWrites.attach({ bus, types, apply });
      deliveries.push(handle);
      await ownWrites.follow(true);
      return ownWrites;
    },
  };
}

const running: OwnWrites[] = [];
const started = async (starting: Promise<OwnWrites>): Promise<OwnWrites> => {
  running.push(await starting);
  return starting;
};
afterEach(() => Promise.all(running.splice(0).map((each) => each.close())));

test('a writer waits for its own caches and for those of all processes that the fact concerns, and for no others', async () => {
  const system = createSystem();
  const applied: string[] = [];
  const apply = (name: string) => async (event: Envelope) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    applied.push(`${name} ${event.type}`);
  };
  const types = [ROLES.type, TEXTS.type];
  const data = await started(system.start('data', types, apply('data')));
  await started(system.start('data', types, apply('other data')));
  await started(system.start('files', [ROLES.type], apply('files')));
  await data.settle([TEXTS]);
  expect(applied.toSorted()).toEqual([`data ${TEXTS.type}`, `other data ${TEXTS.type}`]);
  applied.splice(0);
  await data.settle([ROLES]);
  expect(applied).toHaveLength(3);
  expect(warnings).toEqual([]);
});

test('alone, or while the broker is unavailable, nothing is published', async () => {
  const system = createSystem();
  const data = await started(system.start('data', [ROLES.type]));
  await data.settle([ROLES]);
  await started(system.start('files', [ROLES.type]));
  system.disconnect();
  await data.settle([ROLES]);
  expect(system.published).toEqual([]);
});

test('a process that left, or did not renew its entry, is not waited for', async () => {
  const system = createSystem();
  const data = await started(system.start('data', [ROLES.type]));
  const left = await system.start('files', [ROLES.type]);
  await left.close();
  await data.settle([ROLES]);
  await started(system.start('files', [ROLES.type]));
  nowMs += 20_000;
  await data.settle([ROLES]);
  expect(system.published).toEqual([]);
});

test('a process that does not answer delays one write, for two seconds at most', async () => {
  const system = createSystem();
  const data = await started(system.start('data', [ROLES.type]));
  await started(system.start('reports', [ROLES.type], () => new Promise(() => {})));
  await data.settle([ROLES]);
  expect(warnings).toEqual(['caches of other processes did not confirm a write']);
  await data.settle([ROLES]);
  expect(system.published).toHaveLength(1);
});

test('a store or a cache that fails fails no write', async () => {
  const membersOf = () => Promise.reject(new Error('no Redis'));
  const system = createSystem(Object.assign(createStore(), { membersOf }));
  const apply = () => Promise.reject(new Error('no database'));
  const data = await started(system.start('data', [ROLES.type], apply));
  await data.settle([ROLES]);
  expect(warnings).toEqual(['a write may not be seen everywhere yet']);
});

test('facts with sources matter only where a cache depends on one of them', async () => {
  const system = createSystem();
  const applied: unknown[] = [];
  const types = ['data.entity.changed.v1'] as const;
  const writer = await started(system.start('data', types));
  const reader = await started(system.start('data', types, async ({ data }) => void applied.push(data)));
  expect(await reader.dependOn(['city'])).toBe(true);
  expect(reader.dependOn(['city'])).toBeUndefined();
  const fact = (entity: string): StaleFact => ({ type: types[0], data: { entity }, sources: [entity] });
  await writer.settle([fact('order')]);
  expect(system.published).toEqual([]);
  await writer.settle([fact('city'), fact('order')]);
  expect(applied).toEqual([{ entity: 'city' }]);
});
