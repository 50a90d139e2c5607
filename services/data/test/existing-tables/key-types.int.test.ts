import { defineApplication } from '@lintel/application';
import {
  boolean,
  embeddable,
  embedded,
  integer,
  keyedEntity,
  localDateTime,
  localTime,
  offsetDateTime,
  toOne,
} from '@lintel/metadata';
import { runMigrations } from '@lintel/schema';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { startDataOn } from '../data-fixture.ts';

const TABLES = `
  CREATE TABLE rate (active boolean, at timestamp(3) with time zone, since timestamp(3), hour time(0),
    amount integer, PRIMARY KEY (active, at, since, hour));
  CREATE TABLE flag (value boolean PRIMARY KEY, amount integer);
  CREATE TABLE instant (at timestamp(3) with time zone PRIMARY KEY, amount integer);
  CREATE TABLE use (id integer PRIMARY KEY, at timestamp(3) with time zone REFERENCES instant);
  INSERT INTO rate VALUES (true, '2026-01-02 03:04:05.678+02', '2026-02-03 04:05:06.007', '07:08:09', 1);
  INSERT INTO flag VALUES (false, 1);
  INSERT INTO instant VALUES ('2026-01-02 03:04:05.678+02', 1);
  INSERT INTO use VALUES (1, '2026-01-02 03:04:05.678+02')`;

const at = (name: string) => ({ schema: 'public', name });
const instant = () => offsetDateTime().storedAs('timestamp(3) with time zone');

const application = defineApplication({
  id: 'k',
  name: 'Keys',
  entities: [
    embeddable('k_RateKey', {
      attributes: {
        active: boolean().mandatory(),
        at: instant().mandatory(),
        since: localDateTime().mandatory(),
        hour: localTime().mandatory(),
      },
    }),
    keyedEntity('k_Rate', {
      key: 'id',
      table: at('rate'),
      attributes: { id: embedded('k_RateKey').columnPrefix(''), amount: integer() },
    }),
    keyedEntity('k_Flag', { key: 'value', table: at('flag'), attributes: { value: boolean(), amount: integer() } }),
    keyedEntity('k_Instant', { key: 'at', table: at('instant'), attributes: { at: instant(), amount: integer() } }),
    keyedEntity('k_Use', {
      key: 'id',
      table: at('use'),
      attributes: { id: integer(), instant: toOne('k_Instant').column('at') },
    }),
  ],
});

let database: TestDatabase;
let data: Awaited<ReturnType<typeof startDataOn>>;
beforeAll(async () => {
  database = await createTestDatabase('keys');
  await database.query(TABLES);
  await runMigrations({ url: database.url, migrations: [] });
  data = await startDataOn(database, application, { ada: { resourceRoles: ['system-full-access'] } });
});
afterAll(async () => {
  await data.close();
  await database.drop();
});

const send = (method: string, path: string, body?: unknown) =>
  data.send('ada', method, path, body, { 'content-type': 'application/json' });

const pathOf = (id: unknown): string =>
  typeof id === 'object' ? Buffer.from(JSON.stringify(id)).toString('base64url') : encodeURIComponent(String(id));

test.each([
  ['k_Rate', 'a composite key of a boolean, an instant and times'],
  ['k_Flag', 'a boolean'],
  ['k_Instant', 'an instant'],
])('%s: the id in a list finds the instance again, and is written with it: %s', async (entity) => {
  const [{ id }] = (await send('GET', `/entities/${entity}`)).json();
  const path = `/entities/${entity}/${pathOf(id)}`;
  const found = await send('GET', path);
  expect([found.status, found.json()]).toMatchObject([200, { id, amount: 1 }]);
  const changed = await send('PUT', path, { amount: 2 });
  expect([changed.status, changed.json()]).toMatchObject([200, { id }]);
  expect((await send('GET', path)).json()).toMatchObject({ id, amount: 2 });
  expect((await send('POST', `/entities/${entity}`, { id, amount: 3 })).status).toBe(409);
});

test('references over such keys are expanded, filtered and written', async () => {
  const plan = encodeURIComponent(
    JSON.stringify({ entity: 'k_Use', properties: [{ name: 'instant', fetchPlan: '_base' }] }),
  );
  const [use] = (await send('GET', `/entities/k_Use?fetchPlan=${plan}`)).json();
  expect(use).toMatchObject({ instant: { amount: 2 } });
  const filter = { conditions: [{ property: 'instant', operator: '=', value: use.instant.id }] };
  expect((await send('POST', '/entities/k_Use/search', { filter })).json()).toHaveLength(1);
  const body = { id: 2, instant: { id: use.instant.id } };
  const created = await send('POST', '/entities/k_Use', body);
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  expect((await send('DELETE', '/entities/k_Use/2')).status).toBe(204);
});

test.each(['k_Rate', 'k_Flag'])('%s is deleted by its id', async (entity) => {
  const [{ id }] = (await send('GET', `/entities/${entity}`)).json();
  expect((await send('DELETE', `/entities/${entity}/${pathOf(id)}`)).status).toBe(204);
  expect((await send('GET', `/entities/${entity}`)).json()).toEqual([]);
});
