import { eventually } from '@lintel/testkit';
import { as, createOrder, query, send, tokenOf } from '../api.ts';
import {
  COMPLAINED,
  COMPLAINED_1,
  changeOrder,
  closeFeeds,
  complained,
  follow,
  publishedIn,
  removeRoles,
  userWith,
} from './sales.ts';

afterEach(closeFeeds);
afterAll(removeRoles);

// Asserts contract/events.md#feeds.
test('who may receive one event gets its data, and knows no other event', async () => {
  const { token } = await userWith(`events.read.${COMPLAINED}`);
  const feed = await follow(token, COMPLAINED);
  const order = await createOrder();
  await complained(order, 'unseen');
  await complained(order, 'seen', 'late');
  await eventually(() => expect(publishedIn(feed)).toHaveLength(1));
  expect(publishedIn(feed)[0]).toEqual({
    type: COMPLAINED,
    subject: `sales_Order/${order}`,
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    data: { text: 'seen', reason: 'late' },
  });
  const headers = { authorization: `Bearer ${token}` };
  const [other, unknown] = await Promise.all(
    [COMPLAINED_1, 'sales.order-complained.v3'].map((type) => send('GET', `/rest/changes/${type}`, { headers })),
  );
  expect([other?.status, unknown?.status]).toEqual([404, 404]);
  expect(other?.text.replaceAll(COMPLAINED_1, '')).toBe(unknown?.text.replaceAll('sales.order-complained.v3', ''));
});

// Asserts contract/events.md#feeds and #order.
test('without its right, a feed ends before it sends more', async () => {
  const { token, role } = await userWith('events.read');
  const [feed, all] = [await follow(token, COMPLAINED), await follow(await tokenOf('admin'), COMPLAINED)];
  const order = await createOrder();
  const texts = ['one', 'two', 'three'];
  for (const text of texts) await complained(order, text, 'late');
  await eventually(() => expect(publishedIn(feed).map(({ data }) => data['text'])).toEqual(texts));
  expect((await as('admin', 'PUT', role, { body: { resourcePolicies: [] } })).status).toBe(200);
  await complained(order, 'four', 'late');
  await eventually(() => expect(publishedIn(all)).toHaveLength(4));
  await eventually(() => expect(feed.state).not.toBe('open'));
  expect(publishedIn(feed)).toHaveLength(3);
});

// Asserts contract/events.md#feeds and #became.
test('a condition selects the changes of a feed', async () => {
  const feed = await follow(await tokenOf('admin'), 'sales_Order', { became: { status: 'CONFIRMED' } });
  const [order, born] = [await createOrder(), await createOrder({ status: 'CONFIRMED' })];
  await changeOrder(order, { status: 'CONFIRMED' });
  await changeOrder(order, { status: 'CONFIRMED', discount: '0.1' });
  await changeOrder(born, { status: 'NEW' });
  await changeOrder(born, { status: 'CONFIRMED' });
  await eventually(() => expect(feed.events).toHaveLength(3));
  const sent = feed.events.map(({ event, data }) => `${event} ${JSON.parse(data).id}`);
  expect(sent).toEqual([`created ${born}`, `updated ${order}`, `updated ${born}`]);
});

// Asserts contract/events.md#feeds.
test.each([
  ['a value that does not exist', 'admin', { status: 'CONFRMED' }, 400],
  ['an attribute of another type', 'admin', { notes: 'a' }, 400],
  ['no object', 'admin', 'CONFIRMED', 400],
])('a condition with %s is refused', async (_name, user, became, status) => {
  expect((await as(user, 'GET', `/changes/sales_Order${query({ became })}`)).status).toBe(status);
});
