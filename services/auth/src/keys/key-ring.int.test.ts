import { randomUUID } from 'node:crypto';
import { createDatabase, type Database } from '@lintel/persistence';
import { runMigrations } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { ANNOUNCE_MS, type KeyRing, loadKeyRing } from './key-ring.ts';

const DAY_MS = 24 * 3_600_000;

let server: TestDatabase;
let database: Database;
let keys: KeyRing;
const clock = { passedMs: 0, now: () => Date.now() + clock.passedMs };

beforeAll(async () => {
  server = await cloneTestDatabase(
    { key: 'platform', build: (url) => runMigrations({ url, migrations: [] }) },
    'key_ring',
  );
  database = createDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'key-ring-test',
  });
  keys = await loadKeyRing({ database, secret: 'a secret of the test', ids: { next: () => randomUUID() }, clock });
});
afterAll(async () => {
  await database?.close();
  await server?.drop();
});

test('who keeps the signing key learns that an announced one has taken its place, though no row changed', async () => {
  const first = keys.current().kid;
  expect(await keys.reload()).toBe(false);
  const second = await keys.rotate({ retireOthers: false });
  expect(await keys.reload()).toBe(true);
  expect([keys.current().kid, keys.privateJwks()[0]?.kid]).toEqual([first, first]);
  expect(await keys.reload()).toBe(false);
  clock.passedMs += ANNOUNCE_MS + 1_000;
  expect(await keys.reload()).toBe(true);
  expect([keys.current().kid, keys.privateJwks()[0]?.kid]).toEqual([second, second]);
  expect(await keys.reload()).toBe(false);
});

const age = (ms: number) =>
  server.query(`UPDATE auth.signing_key SET created_at = created_at - ${ms} * interval '1 millisecond'`);

test('a key that is old enough gets one successor, also with concurrent requests', async () => {
  clock.passedMs = 0;
  expect(await keys.rotateIfOlderThan(90 * DAY_MS)).toBeUndefined();
  await age(91 * DAY_MS);
  const made = await Promise.all([1, 2, 3].map(() => keys.rotateIfOlderThan(90 * DAY_MS)));
  expect(made.filter((kid) => kid !== undefined)).toHaveLength(1);
});

test('superseded keys stay as long as a token may be signed with them', async () => {
  await keys.removeSuperseded(DAY_MS);
  await keys.reload();
  expect(keys.publicJwks().length).toBeGreaterThan(1);
  await age(DAY_MS + ANNOUNCE_MS + 1_000);
  await keys.removeSuperseded(DAY_MS);
  await keys.reload();
  expect(keys.publicJwks()).toHaveLength(1);
});
