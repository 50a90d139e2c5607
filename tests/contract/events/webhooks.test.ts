import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@lintel/testkit';
import { as, createOrder, query, unique } from '../api.ts';
import { COMPLAINED, COMPLAINED_1, changeOrder, complained, removeRoles, userWith } from './sales.ts';

interface Message {
  readonly path: string;
  readonly type: string;
  readonly timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: messages have every shape
  readonly data: any;
}

const received: Message[] = [];
/** Paths whose next message is answered by 503. */
const failing = new Set<string>();
const server = createServer(async (request, response) => {
  const path = request.url ?? '';
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  received.push({ path, ...JSON.parse(Buffer.concat(chunks).toString()) });
  response.writeHead(failing.delete(path) ? 503 : 204).end();
});
const made: string[] = [];
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(async () => {
  for (const path of made) expect((await as('admin', 'DELETE', path)).status).toBe(204);
  await removeRoles();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const bodyOf = (values: object) => {
  const name = unique('hook');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;
  const secret = `whsec_${Buffer.alloc(32, 'a secret of this test').toString('base64')}`;
  return { name, url, secret, ...values };
};

/** Makes a webhook. Returns its id, and what was sent to it. */
async function makeWebhook(values: object) {
  const body = bodyOf(values);
  const response = await as('admin', 'POST', '/entities/sys_Webhook', { body });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  const { id } = response.json();
  made.unshift(`/entities/sys_Webhook/${id}`);
  return { id, path: `/${body.name}`, sent: () => received.filter(({ path }) => path === `/${body.name}`) };
}

async function deliveriesOf(webhookId: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const filter = { conditions: [{ property: 'webhookId', operator: '=', value: webhookId }] };
  const parameters = query({ filter, sort: 'queuedAt,id', fetchPlan: '_local', returnNulls: true });
  return (await as('admin', 'GET', `/entities/sys_WebhookDelivery/search${parameters}`)).json();
}

// Asserts contract/events.md#webhooks and #order.
test('events are sent with their data, in the order of a subject, also after a failed attempt', async () => {
  const { username } = await userWith([`events.read.${COMPLAINED}`]);
  const own = await makeWebhook({ entityName: COMPLAINED, owner: username });
  const order = await createOrder();
  await complained(order, 'unseen');
  failing.add(own.path);
  await complained(order, 'one', 'late');
  await complained(order, 'two', 'broken');
  await eventually(() => expect(own.sent()).toHaveLength(3));
  expect(own.sent().map(({ data }) => data.text)).toEqual(['one', 'one', 'two']);
  const { path: _path, ...message } = own.sent()[2] ?? {};
  expect(message).toEqual({ type: COMPLAINED, timestamp: expect.any(String), data: { text: 'two', reason: 'broken' } });
  await eventually(async () =>
    expect(await deliveriesOf(own.id)).toEqual(
      [2, 1].map((attempts) =>
        expect.objectContaining({
          ...{ entityName: COMPLAINED, entityId: `sales_Order/${order}`, change: 'published' },
          ...{ state: 'delivered', attempts },
        }),
      ),
    ),
  );
  expect(JSON.stringify(await deliveriesOf(own.id))).not.toMatch(/broken|unseen/);
});

// Asserts contract/events.md#webhooks.
test('nothing is sent to an owner without the right for the event', async () => {
  const { username } = await userWith([`events.read.${COMPLAINED_1}`]);
  const own = await makeWebhook({ entityName: COMPLAINED, owner: username });
  await complained(await createOrder(), 'hidden', 'late');
  await eventually(async () =>
    expect(await deliveriesOf(own.id)).toEqual([expect.objectContaining({ state: 'refused' })]),
  );
  expect(own.sent()).toEqual([]);
});

// Asserts contract/events.md#became.
test('a webhook with a condition gets the changes that set the value', async () => {
  const own = await makeWebhook({ entityName: 'sales_Order', became: { status: 'CONFIRMED' } });
  const order = await createOrder();
  await changeOrder(order, { status: 'CONFIRMED' });
  await changeOrder(order, { status: 'CONFIRMED', discount: '0.1' });
  await changeOrder(order, { status: 'NEW' });
  await changeOrder(order, { status: 'CONFIRMED' });
  await changeOrder(order, { status: 'SHIPPED' });
  const delivered = { state: 'delivered', entityId: order };
  await eventually(async () =>
    expect(await deliveriesOf(own.id)).toEqual([
      expect.objectContaining(delivered),
      expect.objectContaining(delivered),
    ]),
  );
  expect(own.sent().map(({ data }) => [data.change, data.id])).toEqual([
    ['updated', order],
    ['updated', order],
  ]);
});

// Asserts contract/events.md#became.
test('a condition with an attribute that a user may not view: refused to an author, and not sent to an owner', async () => {
  const { username, token } = await userWith([], ['sales_Order.number', 'sys_Webhook.*']);
  const values = { entityName: 'sales_Order', became: { status: 'CONFIRMED' } };
  const headers = { authorization: `Bearer ${token}` };
  const refused = await as('admin', 'POST', '/entities/sys_Webhook', { body: bodyOf(values), headers });
  expect([refused.status, refused.text]).toEqual([403, expect.not.stringContaining('CONFIRMED')]);
  const own = await makeWebhook({ ...values, owner: username });
  await createOrder({ status: 'CONFIRMED' });
  await eventually(async () =>
    expect(await deliveriesOf(own.id)).toEqual([expect.objectContaining({ state: 'refused' })]),
  );
  expect(own.sent()).toEqual([]);
});

// Asserts contract/events.md#became and #webhooks.
test.each([
  ['a value that does not exist', { entityName: 'sales_Order', became: { status: 'CONFRMED' } }, 'became'],
  ['an attribute of another type', { entityName: 'sales_Order', became: { notes: 'a' } }, 'became'],
  ['a condition of an event', { entityName: COMPLAINED, became: { status: 'NEW' } }, 'became'],
  ['a filter of an event', { entityName: COMPLAINED, filter: '{"conditions":[]}' }, 'filter'],
  ['an event that is not published', { entityName: 'sales.order-complained.v3' }, 'entityName'],
])('a webhook with %s is refused', async (_name, values, path) => {
  const response = await as('admin', 'POST', '/entities/sys_Webhook', { body: bodyOf(values) });
  expect([response.status, response.json()]).toEqual([400, [expect.objectContaining({ path })]]);
});
