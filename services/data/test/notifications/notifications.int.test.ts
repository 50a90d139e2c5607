import { createInProcessBus } from '@lintel/events';
import { cloneTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { startDataOn } from '../data-fixture.ts';
import { schemaOf } from '../schema-of.ts';
import { carried, notificationsApplication } from './notifications-application.ts';

const [ADA, BO] = ['01890000-0000-7000-8000-0000000000a1', '01890000-0000-7000-8000-0000000000b1'];
const LOCALES = { 'svc.core.available-locales': 'en,de' };
const PATH = '/user-session/notifications';
const USERS = {
  admin: { resourceRoles: ['system-full-access'] },
  ada: { resourceRoles: ['n-reader'], userId: ADA },
  restricted: { resourceRoles: ['rest-minimal'], userId: ADA, username: 'ada' },
  key: { resourceRoles: ['n-reader'], userId: ADA, username: 'ada', clientId: 'api-key:1' },
  seen: { resourceRoles: ['n-reader'], userId: ADA, username: 'ada', seenBy: 'admin' },
  work: { resourceRoles: ['n-reader'], userId: ADA, username: 'ada', clientId: 'lintel-work' },
  bo: { resourceRoles: ['n-reader'], userId: BO },
  client: { resourceRoles: ['n-reader'], kind: 'client' as const },
};

let database: TestDatabase;
let data: Awaited<ReturnType<typeof startDataOn>>;
let now = Date.parse('2026-11-21T10:00:00Z');
const bus = createInProcessBus({ logger: { ...console, debug: () => {}, child: () => console } as never });

beforeAll(async () => {
  database = await cloneTestDatabase(schemaOf(notificationsApplication.model), 'notifications');
  for (const [id, name] of [
    [ADA, 'ada'],
    [BO, 'bo'],
  ])
    await database.query(`INSERT INTO sec."user" (id, version, username, active) VALUES ('${id}', 1, '${name}', true)`);
  data = await startDataOn(database, notificationsApplication, USERS, LOCALES, { now: () => now });
  await data.service.start();
  await data.service.follow(bus);
});
afterAll(async () => {
  await bus.close();
  await data.close();
  await database.drop();
});
beforeEach(() => database.query('DELETE FROM sys.notification'));

const send = async (options: object, status = 200): Promise<string> => {
  const response = await data.send('admin', 'POST', '/services/n_Notifications/send', { options });
  expect([response.status, response.text]).toEqual([status, expect.any(String)]);
  return response.text;
};
const listed = async (user: string, headers = {}) => {
  const response = await data.send(user, 'GET', PATH, undefined, headers);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  return response.json();
};
const read = async (user: string, body: object = {}) => (await data.send(user, 'POST', `${PATH}/read`, body)).status;

// Asserts contract/mail.md#notifications.
test('a listener notifies a user with its write, once for a key, and what is rolled back notifies no user', async () => {
  const create = (guest: string, headers = {}) => data.send('admin', 'POST', '/entities/n_Visit', { guest }, headers);
  expect((await create('refused')).status).toBe(400);
  expect((await create('Rehearsed', { prefer: 'tx=rollback' })).status).toBe(201);
  const { id } = (await create('Bo')).json();
  expect((await data.send('admin', 'PUT', `/entities/n_Visit/${id}`, { guest: 'Bo B' })).status).toBe(200);
  const link = { type: 'entity', entityName: 'n_Visit', id };
  const notification = {
    id: expect.any(String),
    createdAt: '2026-11-21T10:00:00.000Z',
    readAt: null,
    text: null,
    link,
  };
  expect(await listed('ada')).toEqual({ unread: 1, notifications: [{ ...notification, title: 'n/booked' }] });
  await eventually(async () => expect(carried).toHaveLength(1));
  expect(carried).toEqual([
    {
      id: expect.any(String),
      to: 'ada',
      title: { message: 'n/booked', parameters: { guest: 'Bo' } },
      link: { entity: 'n_Visit', id },
    },
  ]);
});

// Asserts contract/mail.md#reading.
test('users read their own notifications alone, and links to what they may read', async () => {
  const id = await send({ to: 'ada', title: 'For Ada', link: { entity: 'n_Visit', id: 'x' } });
  await send({ to: 'bo', title: 'For Bo', text: 'Long' });
  expect((await listed('ada')).notifications).toMatchObject([{ title: 'For Ada', text: null, link: { id: 'x' } }]);
  expect((await listed('restricted')).notifications).toMatchObject([{ title: 'For Ada', link: null }]);
  expect((await listed('bo')).notifications).toMatchObject([{ title: 'For Bo', text: 'Long', link: null }]);
  for (const user of ['key', 'seen', 'client', 'admin']) {
    expect((await data.send(user, 'GET', PATH)).status).toBe(403);
    expect(await read(user)).toBe(403);
  }
  expect(await read('bo', { ids: [id] })).toBe(204);
  expect((await listed('ada')).unread).toBe(1);
  expect(await read('ada', { ids: [id] })).toBe(204);
  expect(await listed('ada')).toMatchObject({ unread: 0, notifications: [{ readAt: '2026-11-21T10:00:00.000Z' }] });
  expect(await read('bo')).toBe(204);
  expect((await listed('bo')).unread).toBe(0);
});

// Asserts contract/mail.md#reading.
test('texts are messages in the language of the reader', async () => {
  await send({ to: 'ada', title: { message: 'lintel.notification.reportReady', parameters: { report: 'Sales' } } });
  expect((await listed('ada', { 'accept-language': 'de' })).notifications[0].title).toBe('Sales ist fertig');
  expect((await listed('ada', { 'accept-language': 'en' })).notifications[0].title).toBe('Sales is ready');
});

// Asserts contract/mail.md#reading.
test.each([
  ['no id', { ids: [] }, 'ids'],
  ['an id of another form', { ids: ['x'] }, 'ids.0'],
  ['more than fifty ids', { ids: Array.from({ length: 51 }, () => ADA) }, 'ids'],
  ['an unknown member', { other: 1 }, 'other'],
])('%s marks nothing as read', async (_, body, named) => {
  await send({ to: 'ada', title: 'For Ada' });
  const response = await data.send('ada', 'POST', `${PATH}/read`, body);
  expect([response.status, response.text]).toEqual([400, expect.stringContaining(named)]);
  expect((await listed('ada')).unread).toBe(1);
});

// Asserts contract/mail.md#notifications.
test.each([
  ['an unknown user', { to: 'eve' }],
  ['a name that is not storable', { to: 'a\0' }],
  ['an empty title', { title: '' }],
  ['a long title', { title: 'a'.repeat(201) }],
  ['a text without a message', { text: { parameters: {} } }],
  ['a long text', { text: 'a'.repeat(2_001) }],
  ['a link to an unknown entity', { link: { entity: 'n_Vist', id: 1 } }],
  ['a link with a long id', { link: { entity: 'n_Visit', id: 'x'.repeat(501) } }],
  ['an unknown channel', { channels: ['chats'] }],
])('%s is refused', async (_, options) => {
  await send({ to: 'ada', title: 'a', ...options }, 500);
  expect((await listed('ada')).notifications).toEqual([]);
});

// Asserts contract/mail.md#reading.
test('the newest fifty are listed, unread ones are counted up to a hundred, and they are kept for 90 days', async () => {
  await database.query(`INSERT INTO sys.notification (id, user_id, created_at, content)
SELECT gen_random_uuid(), '${ADA}', '2026-11-01T00:00:00', '{"title": "Old"}' FROM generate_series(1, 120)`);
  await send({ to: 'ada', title: 'New' });
  const { unread, notifications } = await listed('ada');
  expect([unread, notifications.length, notifications[0].title]).toEqual([100, 50, 'New']);
  now = Date.parse('2027-02-01T00:00:00Z');
  const later = await startDataOn(database, notificationsApplication, USERS, {}, { now: () => now });
  await later.service.start();
  await eventually(async () => expect((await listed('ada')).notifications).toMatchObject([{ title: 'New' }]));
  await later.close();
});

// Asserts contract/mail.md#reading.
test('the newest thousand of a user are kept', async () => {
  await database.query(`INSERT INTO sys.notification (id, user_id, created_at, content)
SELECT gen_random_uuid(), u, timestamp '2026-11-01' + n * interval '1 second', '{"title": "Old"}'
FROM generate_series(1, 1000) n, unnest('{${ADA},${BO}}'::uuid[]) u`);
  const { id: first } = (
    await database.query(`SELECT id FROM sys.notification WHERE user_id = '${ADA}' ORDER BY created_at LIMIT 1`)
  )[0] as { id: string };
  await send({ to: 'ada', title: 'New' });
  const counts = 'SELECT user_id, count(*)::int AS n FROM sys.notification GROUP BY user_id ORDER BY user_id';
  expect(await database.query(counts)).toEqual([
    { user_id: ADA, n: 1_000 },
    { user_id: BO, n: 1_000 },
  ]);
  expect(await database.query(`SELECT FROM sys.notification WHERE id = '${first}'`)).toEqual([]);
});

// Asserts contract/mail.md#ended-runs.
test('a report in the background notifies its user once, and no user of a report on a schedule', async () => {
  const ended = (runId: string, sessionId: string, status: string) => ({
    specversion: '1.0' as const,
    id: runId,
    source: '/lintel/reports',
    type: 'reports.run.ended.v1',
    subject: runId,
    time: '2026-11-21T10:00:00Z',
    datacontenttype: 'application/json' as const,
    data: { runId, sessionId, reportName: 'Sales', status },
  });
  const [ready, failed] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002'];
  await bus.publish([
    ended('01890000-0000-7000-8000-000000000003', 'work', 'SUCCEEDED'),
    ended('01890000-0000-7000-8000-000000000004', 'gone', 'SUCCEEDED'),
    ended(ready, 'ada', 'SUCCEEDED'),
    ended(ready, 'ada', 'SUCCEEDED'),
    ended(failed, 'bo', 'FAILED'),
  ]);
  await eventually(async () =>
    expect((await listed('bo')).notifications).toMatchObject([
      { title: 'Sales could not be made', link: { type: 'report-run', id: failed } },
    ]),
  );
  expect((await listed('ada')).notifications).toMatchObject([
    { title: 'Sales is ready', link: { type: 'report-run', id: ready } },
  ]);
});

// Asserts contract/mail.md#ended-runs.
test('a call in the background that fails notifies its user', async () => {
  const prefer = { prefer: 'respond-async' };
  const response = await data.send('ada', 'POST', '/services/n_Notifications/fail', {}, prefer);
  expect(response.status).toBe(202);
  const { id } = response.json();
  await eventually(async () =>
    expect((await listed('ada')).notifications).toMatchObject([
      { title: 'n_Notifications.fail has failed', link: { type: 'service-run', id } },
    ]),
  );
});

test('a call that fails keeps its own error when its user cannot be notified', async () => {
  await database.query('ALTER TABLE sys.notification RENAME TO notification_away');
  try {
    const prefer = { prefer: 'respond-async' };
    const { id } = (await data.send('ada', 'POST', '/services/n_Notifications/fail', {}, prefer)).json();
    await eventually(async () => {
      const run = (await data.send('ada', 'GET', `/service-runs/${id}`)).json();
      expect(run).toMatchObject({ status: 'FAILED', error: { details: 'no' } });
    });
  } finally {
    await database.query('ALTER TABLE sys.notification_away RENAME TO notification');
  }
});

// Asserts contract/mail.md#reading.
test('notifications of a removed user are removed', async () => {
  await send({ to: 'bo', title: 'a' });
  await database.query(`DELETE FROM sec."user" WHERE username = 'bo'`);
  expect(await database.query('SELECT FROM sys.notification')).toEqual([]);
});
