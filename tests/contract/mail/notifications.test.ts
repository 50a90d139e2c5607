import { eventually } from '@lintel/testkit';
import { as, basic, send, tokenRequest, unique } from '../api.ts';
import { callInState, inState, queuedBy, remind, remindAll, removeOrders, shippedOrder } from '../jobs/reminders.ts';
import { newUser } from '../new-user.ts';

afterAll(removeOrders);

const PATH = '/user-session/notifications';

interface Reader {
  readonly username: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function reader(...roles: readonly string[]): Promise<Reader> {
  const { username, token } = await newUser(['rest-minimal', ...roles]);
  return { username, headers: { authorization: `Bearer ${token}` } };
}

async function listed({ headers }: Reader, more: Readonly<Record<string, string>> = {}) {
  const response = await as('admin', 'GET', PATH, { headers: { ...headers, ...more } });
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  return response.json();
}
const read = async ({ headers }: Reader, body: object = {}): Promise<number> =>
  (await as('admin', 'POST', `${PATH}/read`, { headers, body })).status;

/** Notifies a manager: the order cannot be reminded of. Returns the order. */
async function notify({ username }: Reader): Promise<string> {
  const conditions = [{ property: 'username', operator: '=', value: username }];
  const [user] = (await as('admin', 'POST', '/entities/sec_User/search', { body: { filter: { conditions } } })).json();
  const { id } = await shippedOrder({}, { manager: { id: user.id }, number: unique('N') });
  await queuedBy(remind(id));
  return id;
}

// Asserts contract/mail.md#notifications and #reading.
test('a job notifies a user once for a key, in the language of the reader', async () => {
  const manager = await reader('sales-manager');
  const id = await notify(manager);
  await eventually(async () => expect((await listed(manager)).unread).toBe(1));
  const { number } = (await as('admin', 'GET', `/entities/sales_Order/${id}`)).json();
  const notification = {
    ...{ id: expect.any(String), createdAt: expect.any(String), readAt: null, text: null },
    link: { type: 'entity', entityName: 'sales_Order', id },
  };
  await inState(await queuedBy(remind(id)), 'failed');
  expect(await listed(manager)).toEqual({
    unread: 1,
    notifications: [{ ...notification, title: `The reminder of order ${number} needs an e-mail address` }],
  });
  const [german] = (await listed(manager, { 'accept-language': 'de' })).notifications;
  expect(german.title).toBe(`Die Mahnung zum Auftrag ${number} braucht eine E-Mail-Adresse`);
});

// Asserts contract/mail.md#reading.
test('users read their notifications alone', async () => {
  const [manager, other] = await Promise.all([reader('sales-manager'), reader('sales-manager')]);
  const orders = [await notify(manager), await notify(manager)];
  await eventually(async () => expect((await listed(manager)).unread).toBe(orders.length));
  const [newest, oldest] = (await listed(manager)).notifications;
  expect(await listed(other)).toEqual({ unread: 0, notifications: [] });
  expect(await read(other, { ids: [newest.id, oldest.id] })).toBe(204);
  expect(await read(manager, { ids: [oldest.id] })).toBe(204);
  expect(await listed(manager)).toMatchObject({
    unread: 1,
    notifications: [
      { id: newest.id, readAt: null },
      { id: oldest.id, readAt: expect.any(String) },
    ],
  });
  expect(await read(manager)).toBe(204);
  expect((await listed(manager)).unread).toBe(0);
  for (const body of [{ ids: [] }, { ids: ['x'] }, { ids: Array.from({ length: 51 }, () => newest.id) }, { id: 1 }])
    expect(await read(manager, body)).toBe(400);
});

// Asserts contract/mail.md#reading.
test('a link needs the right to read its entity', async () => {
  const manager = await reader();
  const order = await notify(manager);
  await eventually(async () => expect((await listed(manager)).notifications).toMatchObject([{ link: null }]));
  expect(JSON.stringify(await listed(manager))).not.toContain(order);
});

// Asserts contract/mail.md#reading.
test('clients and API keys have no notifications', async () => {
  const body = { name: unique('key'), resourceRoles: ['rest-minimal'] };
  const { headers } = await reader('system-full-access');
  const key = await as('admin', 'POST', '/api-keys', { headers, body });
  expect(key.status).toBe(201);
  const client = await tokenRequest(
    '/oauth2/token',
    { grant_type: 'client_credentials' },
    { authorization: basic('integration', 'secret') },
  );
  for (const token of [key.json().key, client.json().access_token]) {
    const authorization = { authorization: `Bearer ${token}` };
    expect((await as('admin', 'GET', PATH, { headers: authorization })).status).toBe(403);
    expect((await as('admin', 'POST', `${PATH}/read`, { headers: authorization, body: {} })).status).toBe(403);
  }
  expect((await send('GET', `/rest${PATH}`)).status).toBe(401);
});

// Asserts contract/mail.md#ended-runs.
test('users are notified of the end of their reports, and of calls that have failed', async () => {
  const manager = await reader('sales-manager');
  const headers = { prefer: 'respond-async', ...manager.headers };
  const call = (await remindAll({ from: '2018-01-01', to: '2018-01-01' }, 'admin', headers)).json();
  await callInState(call.id, 'FAILED', manager.headers);
  await eventually(async () =>
    expect((await listed(manager)).notifications).toMatchObject([
      { title: 'sales_ReminderService.remindAll has failed', link: { type: 'service-run', id: call.id } },
    ]),
  );
  const parameters = [
    { name: 'from', value: '2026-01-01' },
    { name: 'to', value: '2026-12-31' },
  ];
  const body = { template: 'csv', parameters };
  const report = await as('admin', 'POST', '/reports/run/code/sales-by-customer', { headers, body });
  expect(report.status).toBe(202);
  await eventually(async () =>
    expect((await listed(manager)).notifications[0]).toMatchObject({
      title: expect.stringContaining('is ready'),
      link: { type: 'report-run', id: report.json().id },
    }),
  );
});
