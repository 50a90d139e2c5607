import { randomUUID } from 'node:crypto';
import type { EventType } from '@lintel/contracts';
import { createEnvelope } from '@lintel/events';
import { createDatabase, type Database } from '@lintel/persistence';
import type { SecurityRecord } from '@lintel/telemetry';
import { eventually, type TestDatabase } from '@lintel/testkit';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';
import { createSecurityEventStore } from './security-event-store.ts';

const DAY_MS = 24 * 3_600_000;
const NOON = Date.UTC(2026, 10, 1, 12);
const at = (seconds: number): string => new Date(NOON + seconds * 1_000).toISOString();

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  database = createDatabase({
    url: testDatabase.url,
    applicationName: 'security-events',
    maxConnections: 2,
    statementTimeoutMs: 60_000,
  });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});
beforeEach(() => testDatabase.query('DELETE FROM auth.security_event'));

const storeOf = ({ nowMs = NOON, keptMs = DAY_MS, maxPerType = 1_000, batchSize = 5_000 } = {}) =>
  createSecurityEventStore({ database, clock: { now: () => nowMs }, keptMs, maxPerType, batchSize });
const dated = (seconds: number, record: Partial<SecurityRecord>) => ({
  atMs: NOON + seconds * 1_000,
  record: { name: 'login.failed', count: 1, ...record } as SecurityRecord,
});

describe('a page', () => {
  // Asserts contract/operations.md#security-events.
  test('has the newest events first, with their facts; the next one continues, also among those of one moment', async () => {
    const store = storeOf();
    const [first, second, third] = [
      dated(0, { name: 'login.succeeded', username: 'anna', clientId: 'web', address: '192.0.2.1' }),
      dated(1, { reason: 'bad-credentials', username: 'anna' }),
      dated(1, { name: 'user.changed', username: 'ben', by: 'anna', attributes: ['email'], amount: 2, count: 3 }),
    ];
    await store.write([first, second, third]);
    const page = await store.page({ limit: 2 });
    const none = {
      ...{ by: null, clientId: null, byClientId: null, role: null, traceId: null, address: null },
      ...{ provider: null, reason: null, attributes: null },
    };
    expect(page).toEqual({
      events: [
        {
          ...{ ...none, id: expect.any(String), at: at(1), type: 'user.changed', username: 'ben', by: 'anna' },
          ...{ attributes: ['email'], amount: 2, count: 3 },
        },
        {
          ...{ ...none, id: expect.any(String), at: at(1), type: 'login.failed', username: 'anna', amount: null },
          ...{ reason: 'bad-credentials', count: 1 },
        },
      ],
      hasMore: true,
    });
    const [, last] = page.events;
    const after = { at: last?.at ?? '', id: last?.id ?? '' };
    expect(await store.page({ limit: 2, after })).toMatchObject({
      events: [{ type: 'login.succeeded', clientId: 'web', address: '192.0.2.1' }],
      hasMore: false,
    });
  });

  // Asserts contract/operations.md#security-events.
  test('has the events of a user, of types and of a period only', async () => {
    const store = storeOf();
    await store.write([
      dated(0, { username: 'anna' }),
      dated(1, { name: 'login.succeeded', username: 'anna' }),
      dated(2, { name: 'login.succeeded', username: 'ben' }),
      dated(3, { name: 'client.failed', clientId: 'web' }),
      dated(4, { name: 'assignment.changed', username: 'anna', role: 'clerk', byClientId: 'console', traceId: 'ab' }),
    ]);
    const shown = async (request: object) =>
      (await store.page({ limit: 10, ...request })).events.map(({ at: moment }) => (Date.parse(moment) - NOON) / 1_000);
    expect(await shown({})).toEqual([4, 3, 2, 1, 0]);
    expect(await shown({ username: 'anna' })).toEqual([4, 1, 0]);
    expect(await shown({ role: 'clerk' })).toEqual([4]);
    expect(await shown({ clientId: 'web' })).toEqual([3]);
    expect(await shown({ clientId: 'web', username: 'anna' })).toEqual([]);
    expect(await shown({ username: 'anna', types: ['login.failed'] })).toEqual([0]);
    expect(await shown({ types: ['login.succeeded', 'client.failed', 'login.succeeded'] })).toEqual([3, 2, 1]);
    expect(await shown({ types: ['no.such-type'] })).toEqual([]);
    expect(await shown({ from: at(1), to: at(3) })).toEqual([2, 1]);
  });
});

test('texts that cannot be stored as they are stop nothing', async () => {
  const store = storeOf();
  await store.write([dated(0, { reason: `a\0b\ud800${'x'.repeat(5_000)}` })]);
  const [event] = (await store.page({ limit: 1 })).events;
  expect(event?.reason).toMatch(/^a\ufffdb\ufffdx+$/);
  expect(event?.reason).toHaveLength(1_000);
});

describe('who, whom and what', () => {
  let auth: RunningAuth;
  beforeAll(async () => {
    auth = await startAuth(testDatabase);
    await auth.addUser('anna');
  });
  afterAll(() => auth?.close());
  const traceId = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
  const traceparent = `00-${traceId}-bbbbbbbbbbbbbbbb-00`;
  const actor = { by: 'admin', byClientId: 'console', address: '192.0.2.9' };
  const eventsOf = async (request: object) => {
    const { json } = await auth.internal('/security-events', { limit: 50, ...request });
    return json.events as object[];
  };

  // Asserts contract/operations.md#security-events.
  test('are those of the events of data: users, assignments and roles', async () => {
    const envelope = (type: EventType, data: object) =>
      createEnvelope({
        owner: 'data',
        type,
        subject: 's',
        id: randomUUID(),
        time: new Date(),
        traceparent,
        data,
      } as never);
    await auth.bus.publish([
      envelope('data.assignment.changed.v1', { username: 'anna', role: 'clerk', change: 'taken', actor }),
      envelope('data.user.changed.v1', {
        username: 'anna',
        change: 'updated',
        attributes: ['active'],
        active: false,
        actor,
      }),
      envelope('data.roles.changed.v1', {
        roles: [{ role: 'clerk', change: 'updated', lines: ['+ specific x access'] }],
        actor,
      }),
    ]);
    const said = { ...actor, traceId };
    await eventually(async () => {
      expect(await eventsOf({ username: 'anna' })).toMatchObject([
        { type: 'user.changed', reason: 'user-locked', attributes: ['active'], ...said },
        { type: 'assignment.changed', role: 'clerk', reason: 'taken', ...said },
      ]);
      expect(await eventsOf({ role: 'clerk', types: ['roles.changed'] })).toMatchObject([
        { reason: 'updated', attributes: ['+ specific x access'], username: null, ...said },
      ]);
    });
  });

  // Asserts contract/operations.md#security-events.
  test('are those of the caller of the service that asks auth; a wrong header names nobody', async () => {
    const key = { username: 'anna', resourceRoles: ['rest-minimal'], key: { name: 'k' } };
    const post = (path: string, body: object, value: string) =>
      auth.internal(path, body, undefined, { 'x-lintel-actor': value, traceparent });
    const { id } = (await post('/api-keys/create', key, '%7Bwrong')).json;
    await post('/api-keys/end', { id, username: 'anna', by: 'admin' }, encodeURIComponent(JSON.stringify(actor)));
    await eventually(async () =>
      expect(await eventsOf({ types: ['api-key.changed'] })).toMatchObject([
        { username: 'anna', reason: 'ended by an administrator', ...actor, traceId },
        { username: 'anna', reason: 'created', by: null, address: null, traceId },
      ]),
    );
  });
});

describe('the clean-up', () => {
  // Asserts contract/operations.md#security-events.
  test('removes what has expired, in several statements', async () => {
    const store = storeOf({ nowMs: NOON + DAY_MS, batchSize: 2 });
    await store.write([-2, -1, 0, 1].map((seconds) => dated(seconds, { username: 'anna' })));
    await store.write([dated(-1, { name: 'login.succeeded' })]);
    await store.prune();
    expect((await store.page({ limit: 10 })).events.map((each) => each.at)).toEqual([at(1), at(0)]);
  });

  // Asserts contract/operations.md#security-events.
  test('removes the oldest of a type that has too many; those of other types stay', async () => {
    const store = storeOf({ maxPerType: 2, batchSize: 2 });
    await store.write([dated(-9, { name: 'login.succeeded', username: 'anna' })]);
    await store.write([-5, -4, -3, -2, -1].map((seconds) => dated(seconds, {})));
    await store.prune();
    expect((await store.page({ limit: 10 })).events.map((each) => each.at)).toEqual([at(-1), at(-2), at(-9)]);
  });
});

// Asserts contract/operations.md#security-events.
test('with a retention of 0 nothing is stored, and what is stored is removed', async () => {
  await storeOf().write([dated(-1, {})]);
  const store = storeOf({ keptMs: 0 });
  await store.write([dated(-1, {})]);
  expect((await store.page({ limit: 10 })).events).toHaveLength(1);
  await store.prune();
  expect((await store.page({ limit: 10 })).events).toEqual([]);
});

describe('a running service', () => {
  let auth: RunningAuth;
  beforeAll(async () => {
    auth = await startAuth(testDatabase, {});
    await auth.addUser('clerk');
  });
  afterAll(() => auth?.close());
  const logIn = (password: string) =>
    auth.post('/oauth/token', { grant_type: 'password', username: 'clerk', password });
  const recorded = async () => {
    const { json } = await auth.internal('/security-events', { username: 'clerk', limit: 10 });
    return json.events.map(({ type, reason }: { type: string; reason: string | null }) => [type, reason]);
  };

  test('stores its security events', async () => {
    await logIn('wrong');
    await logIn('clerk');
    await eventually(async () =>
      expect(await recorded()).toEqual([
        ['login.succeeded', null],
        ['login.failed', 'bad-credentials'],
      ]),
    );
  });

  // Asserts contract/operations.md#security-events.
  test('lets users log in while events cannot be stored', async () => {
    await testDatabase.query('ALTER TABLE auth.security_event RENAME TO gone');
    try {
      expect((await logIn('clerk')).status).toBe(200);
      expect((await logIn('wrong')).status).toBe(400);
      await eventually(async () => expect(auth.log.join('')).toContain('security events are not stored yet'));
    } finally {
      await testDatabase.query('ALTER TABLE auth.gone RENAME TO security_event');
    }
  });

  test('refuses requests that it does not know', async () => {
    expect((await auth.internal('/security-events', { limit: 0 })).status).toBe(400);
    expect((await auth.internal('/security-events', { limit: 1 }, 'wrong')).status).toBe(401);
  });
});
