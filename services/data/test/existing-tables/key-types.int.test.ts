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
  toMany,
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
  CREATE TABLE tick (at timestamp with time zone, since timestamp, amount integer, PRIMARY KEY (at, since));
  CREATE TABLE tock (at timestamp with time zone PRIMARY KEY, amount integer);
  CREATE TABLE beat (id integer PRIMARY KEY, at timestamp with time zone REFERENCES tock);
  INSERT INTO tock VALUES ('2026-01-02 03:04:05.678+02', 3);
  CREATE TABLE use (id integer PRIMARY KEY, at timestamp(3) with time zone REFERENCES instant);
  INSERT INTO rate VALUES (true, '2026-01-02 03:04:05.678+02', '2026-02-03 04:05:06.007', '07:08:09', 1);
  INSERT INTO flag VALUES (false, 1);
  INSERT INTO instant VALUES ('2026-01-02 03:04:05.678+02', 1);
  INSERT INTO tick VALUES ('2026-01-02 03:04:05.678901+02', '2026-02-03 04:05:06.000007', 1);
  INSERT INTO tock VALUES ('2026-01-02 03:04:05.678901+02', 1), ('2026-01-02 03:04:05.678902+02', 2);
  INSERT INTO use VALUES (1, '2026-01-02 03:04:05.678+02')`;

const at = (name: string) => ({ schema: 'public', name });
const micros = () => offsetDateTime().microseconds().storedAs('timestamp with time zone');
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
    embeddable('k_TickKey', {
      attributes: {
        at: micros().mandatory(),
        since: localDateTime().microseconds().storedAs('timestamp without time zone').mandatory(),
      },
    }),
    keyedEntity('k_Tick', {
      key: 'id',
      table: at('tick'),
      attributes: { id: embedded('k_TickKey').columnPrefix(''), amount: integer() },
    }),
    keyedEntity('k_Tock', {
      key: 'at',
      table: at('tock'),
      attributes: { at: micros(), amount: integer(), beats: toMany('k_Beat', 'tock') },
    }),
    keyedEntity('k_Beat', {
      key: 'id',
      table: at('beat'),
      attributes: { id: integer(), tock: toOne('k_Tock').column('at') },
    }),
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
  ['k_Tick', 'a composite key of times with microseconds'],
  ['k_Tock', 'an instant with microseconds'],
])('%s: the id in a list finds the instance again, and is written with it: %s', async (entity) => {
  const [{ id }] = (await send('GET', `/entities/${entity}?sort=amount`)).json();
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

test('microseconds are exact in ids, references, filters, pages and what is sent', async () => {
  const first = '2026-01-02T01:04:05.678901Z';
  const ids = async (path: string): Promise<readonly string[]> =>
    (await send('GET', path)).json().map(({ id }: { readonly id: string }) => id);
  const all = ['2026-01-02T01:04:05.678000Z', first, '2026-01-02T01:04:05.678902Z'];
  expect(await ids('/entities/k_Tock?sort=at')).toEqual(all);
  expect(await ids('/entities/k_Tock?sort=at&limit=1&offset=1')).toEqual([first]);
  const page = await send('GET', '/entities/k_Tock?sort=at&limit=2');
  const next = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]?.replace(/^.*\/rest/, '');
  expect(await ids(next ?? '')).toEqual(all.slice(2));
  const search = (value: string) =>
    `/entities/k_Tock/search?filter=${encodeURIComponent(JSON.stringify({ conditions: [{ property: 'at', operator: '=', value }] }))}`;
  expect(await ids(search(first))).toEqual([first]);
  expect(await ids(search('2026-01-02T03:04:05.678901+02:00'))).toEqual([first]);
  const sent = await send('POST', '/entities/k_Beat', { id: 1, tock: { id: '2026-01-02T03:04:05.678902+02:00' } });
  expect(sent.status).toBe(201);
  expect((await send('POST', '/entities/k_Beat', { id: 2, tock: { id: '2026-01-02T01:04:05.678903Z' } })).status).toBe(
    400,
  );
  const plan = encodeURIComponent(
    JSON.stringify({ entity: 'k_Tock', properties: [{ name: 'beats', fetchPlan: '_local' }] }),
  );
  expect((await send('GET', `/entities/k_Tock/${all[2]}?fetchPlan=${plan}`)).json()).toMatchObject({
    beats: [{ id: 1 }],
  });
  const created = await send('POST', '/entities/k_Tock', { id: '2026-05-06T07:08:09.1234567+02:00', amount: 5 });
  expect([created.status, created.json().id]).toEqual([201, '2026-05-06T05:08:09.123456Z']);
  expect(await database.query("SELECT amount FROM tock WHERE at = '2026-05-06 05:08:09.123456Z'")).toEqual([
    { amount: 5 },
  ]);
  expect((await send('GET', '/entities/k_Tock/2026-01-02T01:04:05.678903Z')).status).toBe(404);
});
