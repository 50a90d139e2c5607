import { eventually } from '@lintel/testkit';
import { as, createOrder, demo, query, unique } from '../api.ts';
import { newUser } from '../new-user.ts';
import {
  COMPLAINED,
  changeHandler,
  changeOrder,
  closeFeeds,
  complain,
  complained,
  followAsAdmin,
  handlerNamed,
  notesOf,
  publishedIn,
  STATUS_CHANGED,
  untilIdle,
} from './sales.ts';

afterEach(closeFeeds);

// Asserts contract/events.md#order, #versions and #rights.
test('a handler gets both versions of an event in the order of a subject, with the rights of its roles', async () => {
  const [order, other] = [await createOrder(), await createOrder()];
  const texts = Array.from({ length: 8 }, (_, at) => `complaint ${at}`);
  for (const [at, text] of texts.entries()) await complained(order, text, at % 2 === 0 ? 'late' : undefined);
  await complained(other, 'Another one');
  const noted = texts.map((text, at) => `${at % 2 === 0 ? 'late' : 'other'}: ${text}`);
  await eventually(async () => expect(await notesOf(order)).toEqual(noted));
  await eventually(async () => expect(await notesOf(other)).toEqual(['other: Another one']));
  const { lastModifiedBy } = (await as('admin', 'GET', `/entities/sales_Order/${order}`)).json();
  expect(lastModifiedBy).toBe('handler complaints');
});

// Asserts contract/events.md#handlers and #delivery.
test('each of many events at the same time is handled once', async () => {
  const orders = await Promise.all([createOrder(), createOrder(), createOrder()]);
  const texts = Array.from({ length: 8 }, (_, at) => `complaint ${at}`);
  await Promise.all(orders.flatMap((order) => texts.map((text) => complained(order, text, 'broken'))));
  for (const order of orders)
    await eventually(async () =>
      expect([...(await notesOf(order))].sort()).toEqual(texts.map((text) => `broken: ${text}`)),
    );
  await untilIdle('complaints');
  for (const order of orders) expect(await notesOf(order)).toHaveLength(texts.length);
});

// Asserts contract/events.md#publish.
test('a refused call, a failed write and a rehearsal publish nothing, and a repeated write nothing more', async () => {
  const [complaints, statuses] = [await followAsAdmin(COMPLAINED), await followAsAdmin(STATUS_CHANGED)];
  const [open, closed] = [
    await createOrder(),
    await createOrder({ lines: [{ quantity: 1, product: { id: demo.product(1) } }] }),
  ];
  await changeOrder(closed, { status: 'CLOSED' });
  const refused = [
    await complain(closed, 'of a closed order', 'late'),
    await complain(await createOrder({ notes: 'x'.repeat(10_001) }), 'one too many', 'late'),
    await complain(crypto.randomUUID(), 'of no order', 'late'),
    await complain(open, 'with \0', 'late'),
    await complain(open, 'with half of a pair \ud83d', 'late'),
  ];
  expect(refused.map(({ status }) => status)).toEqual([409, 409, 404, 400, 400]);
  const rehearsed = await complain(open, 'rehearsed', 'late', { prefer: 'tx=rollback' });
  expect([rehearsed.status, rehearsed.text]).toEqual([200, expect.not.stringContaining('complained')]);
  const number = unique('T');
  const values = { number, date: '2026-02-03', customer: { id: demo.customer(1) }, status: 'CONFIRMED' };
  const both = await as('admin', 'POST', '/entities/sales_Order', { body: [values, values] });
  expect(both.status).toBe(409);
  await complained(open, 'published', 'late');
  await changeOrder(open, { status: 'CONFIRMED' });
  await eventually(() => expect(publishedIn(complaints)).not.toEqual([]));
  expect(publishedIn(complaints).map(({ data }) => data['text'])).toEqual(['published']);
  await eventually(() => expect(publishedIn(statuses).at(-1)?.subject).toBe(`sales_Order/${open}`));
  expect(publishedIn(statuses).map(({ data }) => data['number'])).not.toContain(number);
  // A repeated write is the first one.
  const headers = { 'idempotency-key': number };
  for (let times = 0; times < 2; times += 1)
    expect((await as('admin', 'POST', '/entities/sales_Order', { body: values, headers })).status).toBe(201);
  await changeOrder(open, { status: 'SHIPPED' });
  await eventually(() => expect(publishedIn(statuses).at(-1)?.data['status']).toBe('SHIPPED'));
  expect(publishedIn(statuses).filter(({ data }) => data['number'] === number)).toHaveLength(1);
});

/** The titles of the notifications of a user. */
const newsOf = async (token: string): Promise<readonly string[]> => {
  const headers = { authorization: `Bearer ${token}` };
  const { notifications } = (await as('admin', 'GET', '/user-session/notifications', { headers })).json();
  return notifications.map(({ title }: { title: string }) => title);
};

async function managedOrder(values: object = {}) {
  const { username, token } = await newUser(['rest-minimal']);
  const filter = { conditions: [{ property: 'username', operator: '=', value: username }] };
  const [user] = (await as('admin', 'GET', `/entities/sec_User/search${query({ filter })}`)).json();
  const number = unique('T');
  return { token, number, order: await createOrder({ number, manager: { id: user.id }, ...values }) };
}

// Asserts contract/events.md#became.
test('a condition selects the changes that set the value, and no other ones', async () => {
  const { token, number, order } = await managedOrder();
  const news = `Order ${number}: it was shipped`;
  await changeOrder(order, { status: 'CONFIRMED' });
  await changeOrder(order, { status: 'SHIPPED' });
  await changeOrder(order, { status: 'SHIPPED', discount: '0.1' });
  await changeOrder(order, { status: 'CONFIRMED' });
  await changeOrder(order, { status: 'SHIPPED' });
  await eventually(async () => expect(await newsOf(token)).toEqual([news, news]));
  await untilIdle('shipped-orders');
  expect(await newsOf(token)).toEqual([news, news]);
});

// Asserts contract/events.md#changes.
test('a handler of changes gets those that it names', async () => {
  const { token, number, order } = await managedOrder({ delivery: { carrier: 'Post' } });
  const fetchPlan = { entity: 'sales_Order', properties: [{ name: 'delivery', fetchPlan: '_local' }] };
  const path = `/entities/sales_Order/${order}${query({ fetchPlan })}`;
  const { delivery } = (await as('admin', 'GET', path)).json();
  const changed = await as('admin', 'PUT', `/entities/sales_Delivery/${delivery.id}`, { body: { carrier: 'Courier' } });
  expect(changed.status).toBe(200);
  await eventually(async () => expect(await newsOf(token)).toEqual([`Order ${number}: another delivery`]));
  await changeOrder(order, { delivery: null });
  await untilIdle('changed-deliveries');
  expect(await newsOf(token)).toHaveLength(1);
});

// Asserts contract/events.md#handlers, contract/operations.md#event-handlers.
test('a paused handler gets its events later, and a replay handles those since a time again', async () => {
  const feed = await followAsAdmin(COMPLAINED);
  const order = await createOrder();
  await untilIdle('complaints');
  await changeHandler('complaints', { paused: true });
  try {
    await complained(order, 'first', 'late');
    await complained(order, 'second', 'late');
    await eventually(async () => expect(await handlerNamed('complaints')).toMatchObject({ paused: true, waiting: 2 }));
    expect(await notesOf(order)).toEqual([]);
  } finally {
    await changeHandler('complaints', { paused: false });
  }
  await eventually(async () => expect(await notesOf(order)).toEqual(['late: first', 'late: second']));
  await eventually(() => expect(publishedIn(feed)).toHaveLength(2));
  await changeHandler('complaints', { replayFrom: publishedIn(feed)[1]?.timestamp });
  await eventually(async () => expect(await notesOf(order)).toEqual(['late: first', 'late: second', 'late: second']));
});
