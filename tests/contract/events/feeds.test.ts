import { eventually } from '@lintel/testkit';
import { as, createOrder, query, send, tokenOf, unique } from '../api.ts';
import {
  COMPLAINED,
  COMPLAINED_1,
  changeOrder,
  closeFeeds,
  complained,
  continueAfter,
  follow,
  publishedIn,
  removeRoles,
  userWith,
} from './sales.ts';

afterEach(closeFeeds);
afterAll(removeRoles);

// Asserts contract/events.md#feeds.
test('who may receive one event gets its data, and knows no other event', async () => {
  const { token } = await userWith([`events.read.${COMPLAINED}`]);
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
  const { token, role } = await userWith(['events.read']);
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

// Asserts contract/events.md#feeds.
test('a client that comes again gets the events that it missed, and an id of another feed is refused', async () => {
  const token = await tokenOf('admin');
  const feed = await follow(token, COMPLAINED);
  const order = await createOrder();
  await complained(order, 'one', 'late');
  await eventually(() => expect(publishedIn(feed)).toHaveLength(1));
  feed.close();
  await complained(order, 'unseen');
  await complained(order, 'two', 'late');
  const again = await continueAfter(feed, token, COMPLAINED);
  await eventually(() => expect(publishedIn(again).map(({ data }) => data['text'])).toEqual(['two']));
  for (const other of [COMPLAINED_1, 'sales_Order']) expect((await continueAfter(feed, token, other)).status).toBe(400);
});

// Asserts contract/events.md#feeds and #became.
test('a condition shows nothing of instances that the caller does not see', async () => {
  const feed = await follow(await tokenOf('clerk'), 'sales_Order', { became: { status: 'CONFIRMED' } });
  const customerOf = async (country: string) => {
    const body = { name: unique('events'), address: { country } };
    return { id: (await as('admin', 'POST', '/entities/sales_Customer', { body })).json().id };
  };
  const [hidden, shown] = [
    await createOrder({ customer: await customerOf('FR') }),
    await createOrder({ customer: await customerOf('DE') }),
  ];
  for (const id of [hidden, shown]) await changeOrder(id, { status: 'CONFIRMED' });
  await eventually(() => expect(feed.events).toHaveLength(1));
  expect(feed.events.map(({ data }) => JSON.parse(data).id)).toEqual([shown]);
});

// Asserts contract/events.md#feeds and #became.
test('a condition with an attribute that the caller may not view is refused', async () => {
  const { token } = await userWith([], ['sales_Order.number']);
  const headers = { authorization: `Bearer ${token}` };
  const opened = (parameters: object) =>
    send('GET', `/rest/changes/sales_Order${query({ ...parameters })}`, { headers });
  const refused = await opened({ became: { status: 'CONFIRMED' } });
  expect([refused.status, refused.text]).toEqual([403, expect.not.stringContaining('CONFIRMED')]);
  expect((await follow(token, 'sales_Order')).status).toBe(200);
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
