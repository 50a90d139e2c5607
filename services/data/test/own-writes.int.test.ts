import { defineApplication, loadQueries, predefinedQuery } from '@lintel/application';
import { attachInvalidation, createMemoryStore, createOwnWrites } from '@lintel/cache';
import { createInProcessBus } from '@lintel/events';
import { keyedEntity, string } from '@lintel/metadata';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { monotonicClock } from '@lintel/timing';
import { type DataFixture, startDataOn } from './data-fixture.ts';
import { schemaOf } from './schema-of.ts';

const defined = defineApplication({
  id: 't',
  name: 'T',
  entities: ['t_City', 't_Street'].map((name) =>
    keyedEntity(name, { key: 'code', attributes: { code: string(5), name: string(50) } }),
  ),
  queries: [
    predefinedQuery('t_City', 'cities', { text: 'select c from t_City c', fetchPlan: '_local', cacheable: true }),
  ],
});
const application = await loadQueries(defined, [], () => Promise.reject(new Error('none')));

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => SILENT };
const hub = createInProcessBus({ logger: SILENT });
const store = createMemoryStore({ clock: monotonicClock });
/** Facts that were announced to other processes. */
const announced: unknown[] = [];

let database: TestDatabase;
let one: DataFixture;
let other: DataFixture;
const closing: (() => Promise<void>)[] = [];

/** One of two processes: nothing but what `OwnWrites` publishes ends the entries of its caches. */
async function startReplica(): Promise<DataFixture> {
  const bus = hub.forService('data');
  const ownWrites = createOwnWrites({ service: 'data', store, newId: () => crypto.randomUUID(), logger: SILENT });
  const users = { admin: { resourceRoles: ['system-full-access'] } };
  const data = await startDataOn(database, application, users, {}, undefined, { ownWrites });
  const invalidation = await attachInvalidation(bus, 'data', data.service.caches, { ownWrites });
  closing.push(
    () => invalidation.close(),
    () => data.close(),
  );
  return data;
}

beforeAll(async () => {
  database = await cloneTestDatabase(schemaOf(application.model), 'own-writes');
  await hub.subscribe({
    queue: { kind: 'replica', service: 'test' },
    types: ['data.caches.outdated.v1'],
    handle: async ({ data }) => void announced.push(...(data as { readonly facts: readonly unknown[] }).facts),
  });
  [one, other] = [await startReplica(), await startReplica()];
});
afterAll(async () => {
  for (const close of closing) await close();
  await hub.close();
  await database.drop();
});

test('the next request sees a change in either process: queries', async () => {
  const codesAt = async ({ send }: DataFixture): Promise<readonly string[]> =>
    (await send('admin', 'GET', '/queries/t_City/cities')).json().map(({ code }: { code: string }) => code);
  const seen: (readonly string[])[] = [];
  const codes = Array.from({ length: 20 }, (_, at) => `C${at}`.padEnd(3, '-'));
  for (const [at, code] of codes.entries()) {
    const [writer, reader] = at % 2 === 0 ? [one, other] : [other, one];
    await codesAt(reader);
    expect((await writer.send('admin', 'POST', '/entities/t_City', { code, name: 'x' })).status).toBe(201);
    seen.push(await codesAt(reader));
  }
  expect(seen.map((all) => all.length)).toEqual(codes.map((_, at) => at + 1));
});

test('the next request sees a change in either process: dynamic-attributes', async () => {
  const names: string[] = [];
  for (const [at, writer, reader] of [
    [1, one, other],
    [2, other, one],
    [3, one, other],
  ] as const) {
    const code = `extra${at}`;
    const attribute = { name: code, code, dataType: 'STRING', isCollection: false };
    const category = { name: code, entityType: 't_City', categoryAttrs: [attribute] };
    const path = '/entities/t_City?fetchPlan=_local&dynamicAttributes=true&limit=1';
    await reader.send('admin', 'GET', path);
    expect((await writer.send('admin', 'POST', '/entities/dynat_Category', category)).status).toBe(201);
    const body = { code: `D${at}`, [`+${code}`]: 'x' };
    names.push((await reader.send('admin', 'POST', '/entities/t_City', body)).text);
  }
  expect(names.map((text) => JSON.parse(text).id)).toEqual(['D1', 'D2', 'D3']);
});

test('writes of what no cached result reads are not announced', async () => {
  announced.splice(0);
  for (const entity of ['t_Street', 't_City'])
    expect((await one.send('admin', 'POST', `/entities/${entity}`, { code: 'S1', name: 'x' })).status).toBe(201);
  expect(announced).toEqual([{ type: 'data.entity.changed.v1', data: { entity: 't_City' } }]);
});
