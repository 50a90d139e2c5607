import { as } from './api.ts';

const SECRET = `whsec_${Buffer.alloc(32, 'a secret of this test').toString('base64')}`;
const webhook = (values: Readonly<Record<string, unknown>> = {}) => ({
  ...{ name: 'Orders', url: 'https://hooks.example.com/orders', entityName: 'sales_Order', secret: SECRET },
  ...{ active: false, changes: 'created,updated' },
  ...values,
});
const save = (user: string, values?: Readonly<Record<string, unknown>>) =>
  as(user, 'POST', '/entities/sys_Webhook', { body: webhook(values) });

test('administrators write webhooks over the entity API, and no user reads their secret', async () => {
  const created = await save('admin');
  expect(created.status).toBe(201);
  const path = `/entities/sys_Webhook/${created.json().id}`;
  const read = await as('admin', 'GET', `${path}?fetchPlan=_local&returnNulls=true`);
  expect(read.json()).toMatchObject({ name: 'Orders', owner: 'admin', active: false, entityName: 'sales_Order' });
  const changed = await as('admin', 'PUT', `${path}?responseFetchPlan=_local`, { body: { secret: SECRET } });
  for (const { text } of [created, read, changed]) expect(text).not.toMatch(/secret"|whsec_/);
  expect((await as('admin', 'DELETE', path)).status).toBe(204);
});

test.each([
  ['a URL of another protocol', { url: 'ftp://hooks.example.com/' }, 'url'],
  ['a URL of a private network, in another spelling', { url: 'https://0x0a000001/' }, 'url'],
  ['an entity that is not there', { entityName: 'sales_Nothing' }, 'entityName'],
  [
    'a filter of an unknown attribute',
    { filter: '{"conditions":[{"property":"no","operator":"=","value":1}]}' },
    'filter',
  ],
  ['a secret in another form', { secret: 'password' }, 'secret'],
])('%s is refused, naming the attribute', async (_, values, path) => {
  const { status, text, json } = await save('admin', values);
  expect([status, json().map((item: { path: string }) => item.path)]).toEqual([400, [path]]);
  expect(text).not.toContain('password');
});

test('others see neither webhooks nor their log', async () => {
  expect((await save('clerk')).status).toBe(403);
  for (const entity of ['sys_Webhook', 'sys_WebhookDelivery'])
    expect((await as('clerk', 'GET', `/entities/${entity}`)).status).toBe(403);
});

test('deliveries cannot be created over the entity API', async () => {
  const delivery = {
    ...{ webhookId: '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11', webhookName: 'x', eventId: 'x', entityName: 'sales_Order' },
    ...{ entityId: 'x', change: 'created', changedAt: '2026-11-21T10:00:00.000', state: 'pending', attempts: 0 },
    queuedAt: '2026-11-21T10:00:00.000',
    lane: 'x',
  };
  expect((await as('admin', 'POST', '/entities/sys_WebhookDelivery', { body: delivery })).status).toBe(403);
});
