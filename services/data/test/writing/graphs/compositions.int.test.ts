import { type DataFixture, startData } from '../../data-fixture.ts';
import { shop } from '../../shop-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(
    shop,
    {
      admin: { resourceRoles: ['system-full-access'] },
      local: { resourceRoles: ['system-full-access'], rowLevelRoles: ['own-country'], attributes: { country: 'DE' } },
    },
    { 'svc.core.available-locales': 'en,de,zh_CN' },
  );
});
afterAll(() => data.close());

const send = (method: string, path: string, body?: unknown) => data.send('admin', method, `/entities/${path}`, body);
const put = (path: string, body: unknown) => send('PUT', path, body);
const create = async (entity: string, body: unknown): Promise<string> => {
  const response = await send('POST', entity, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};
const PLAN = {
  entity: 't_Order',
  properties: [
    'version',
    'number',
    { name: 'delivery', fetchPlan: { properties: ['version', 'carrier'] } },
    {
      name: 'lines',
      fetchPlan: {
        properties: ['version', 'quantity', 'position', { name: 'discounts', fetchPlan: { properties: ['percent'] } }],
      },
    },
  ],
};
interface Line {
  readonly id: string;
  readonly quantity: number;
  readonly position?: number;
  readonly version: number;
  readonly discounts: readonly { readonly id: string; readonly percent: number }[];
}
const order = async (
  id: string,
): Promise<{ version: number; delivery?: { id: string; carrier: string; version: number }; lines: Line[] }> => {
  const response = (await send('GET', `t_Order/${id}?fetchPlan=${encodeURIComponent(JSON.stringify(PLAN))}`)).json();
  return { ...response, lines: [...response.lines].sort((left: Line, right: Line) => left.quantity - right.quantity) };
};
let count = 0;
const newOrder = async (values: object): Promise<string> => {
  count += 1;
  const customer = { id: await create('t_Customer', { name: 'x' }) };
  return create('t_Order', { number: `O${count}`, customer, ...values });
};
const TWO_LINES = {
  lines: [
    { quantity: 1, position: 1, discounts: [{ percent: 5 }] },
    { quantity: 2, position: 2 },
  ],
};

describe('1:N compositions', () => {
  // Asserts contract/writing.md#update.
  test('children of every level are created with the root and linked to their parents', async () => {
    const stored = await order(await newOrder({ ...TWO_LINES, state: 'CLOSED' }));
    expect(stored.version).toBe(1);
    expect(stored.lines).toMatchObject([
      { quantity: 1, position: 1, version: 1, discounts: [{ percent: 5 }] },
      { quantity: 2, position: 2, version: 1, discounts: [] },
    ]);
  });

  // Asserts contract/row-policies.md#merge, contract/writing.md#update.
  test('an array replaces: known ids are changed, others created, missing ones removed; the root gets a new version', async () => {
    const id = await newOrder(TWO_LINES);
    const [first] = (await order(id)).lines;
    const given = crypto.randomUUID();
    const response = await put(`t_Order/${id}`, {
      lines: [
        { id: first?.id, quantity: 10, position: 1 },
        { id: given, quantity: 20, position: 3 },
        { quantity: 30, position: 4 },
      ],
    });
    expect(response.status).toBe(200);
    const stored = await order(id);
    expect(stored.lines).toMatchObject([
      { id: first?.id, quantity: 10, version: 2, discounts: [{ percent: 5 }] },
      { id: given, quantity: 20, version: 1 },
      { quantity: 30, version: 1 },
    ]);
    expect(stored.version).toBe(2);
  });

  test('sending the same children again changes nothing', async () => {
    const id = await newOrder(TWO_LINES);
    const before = await order(id);
    const lines = before.lines.map(({ version: _version, ...line }) => line);
    expect((await put(`t_Order/${id}`, { lines })).status).toBe(200);
    expect(await order(id)).toEqual(before);
  });

  // Asserts contract/row-policies.md#merge, contract/writing.md#update.
  test('an attribute that one child has in the body and its sibling does not is set to null on the sibling', async () => {
    const id = await newOrder(TWO_LINES);
    const [first, second] = (await order(id)).lines;
    await put(`t_Order/${id}`, {
      lines: [
        { id: first?.id, quantity: 1, position: 9 },
        { id: second?.id, quantity: 2 },
      ],
    });
    const [one, two] = (await order(id)).lines;
    expect([one?.position, two?.position]).toEqual([9, undefined]);
  });

  // Asserts contract/decisions.md#72.
  test('the error of an attribute that a child lacks and its sibling has explains the rule', async () => {
    const id = await newOrder(TWO_LINES);
    const before = await order(id);
    const product = { id: await create('t_Product', { name: 'p' }) };
    const lines = [
      { id: before.lines[0]?.id, quantity: 1 },
      { product, position: 3 },
    ];
    const refused = await put(`t_Order/${id}`, { lines });
    expect([refused.status, refused.json()]).toEqual([
      400,
      [
        {
          message: 'Was sent for another item of lines and not for this one: send the same attributes for all items',
          messageTemplate: '{lintel.validation.NotSentForAll.message}',
          path: 'lines[1].quantity',
          invalidValue: null,
        },
      ],
    ]);
    for (const [language, message] of [
      ['de', 'Wurde für ein anderes Element von lines gesendet und für dieses nicht'],
      ['zh-CN', 'lines 中的其他元素包含此属性'],
    ]) {
      const headers = { 'accept-language': language ?? '' };
      const batch = await data.send('admin', 'PUT', '/entities/t_Order', [{ id, lines }], headers);
      expect(batch.json()).toEqual([
        expect.objectContaining({
          path: 'entities[0].lines[1].quantity',
          message: expect.stringContaining(message ?? ''),
        }),
      ]);
    }
    // The rule does not apply if no other child has the attribute, or if this child has it as null.
    for (const quantity of [undefined, null]) {
      const sent = [{ position: 3, quantity }];
      expect((await put(`t_Order/${id}`, { lines: sent })).json()).toEqual([
        expect.objectContaining({ path: 'lines[0].quantity', message: 'may not be null' }),
      ]);
    }
    expect(await order(id)).toEqual(before);
  });

  // Asserts contract/decisions.md#54, contract/writing.md#audit, contract/writing.md#validation,
  // contract/writing.md#versions.
  test('a change at the second level increments the versions up to the root', async () => {
    const id = await newOrder(TWO_LINES);
    const [line, other] = (await order(id)).lines;
    await put(`t_Discount/${line?.discounts[0]?.id}`, { percent: 6 });
    const stored = await order(id);
    expect([stored.version, stored.lines[0]?.version, stored.lines[1]?.version]).toEqual([2, 2, 1]);
    await put(`t_Order/${id}`, {
      lines: [
        { id: line?.id, quantity: 1, discounts: [] },
        { id: other?.id, quantity: 2 },
      ],
    });
    const again = await order(id);
    expect([again.version, again.lines[0]?.version, again.lines[0]?.discounts]).toEqual([3, 3, []]);
  });

  // Asserts contract/writing.md#update.
  test('an empty array removes all', async () => {
    const id = await newOrder(TWO_LINES);
    await put(`t_Order/${id}`, { lines: [] });
    expect((await order(id)).lines).toEqual([]);
  });

  // Asserts contract/writing.md#validation.
  test('children are validated with their path, and their rules apply to the values to be stored', async () => {
    const id = await newOrder({ ...TWO_LINES, state: 'CLOSED' });
    const before = await order(id);
    const wrong = await put(`t_Order/${id}`, {
      lines: [{ quantity: 1 }, { quantity: -1, discounts: [{ percent: 101 }] }],
    });
    expect(wrong.json()).toEqual([
      expect.objectContaining({ path: 'lines[1].quantity', invalidValue: -1 }),
      expect.objectContaining({ path: 'lines[1].discounts[0].percent', invalidValue: 101 }),
    ]);
    const empty = await put(`t_Order/${id}`, { lines: [] });
    expect(empty.json()).toEqual([expect.objectContaining({ path: '', message: 'Closed order must have lines' })]);
    const batch = await put('t_Order', [{ id, lines: [{ quantity: 0 }] }]);
    expect(batch.json()).toEqual([expect.objectContaining({ path: 'entities[0].lines[0].quantity' })]);
    expect(await order(id)).toEqual(before);
  });

  // Asserts contract/decisions.md#16, contract/writing.md#update.
  test('the id of a child of another parent is in use: 409, and no child is moved', async () => {
    const [one, two] = [await newOrder(TWO_LINES), await newOrder(TWO_LINES)];
    const foreign = (await order(one)).lines[0]?.id;
    const response = await put(`t_Order/${two}`, { lines: [{ id: foreign, quantity: 5 }] });
    expect([response.status, response.json().error]).toEqual([409, 'Entity already exists']);
    expect((await order(one)).lines).toHaveLength(2);
  });

  // Asserts contract/writing.md#body-errors.
  test('errors of wrong kinds inside children have their path', async () => {
    const response = await send('POST', 't_Order', { number: 'X', lines: [{ quantity: 1 }, { quantity: 'x' }] });
    expect([response.status, response.json().details]).toEqual([
      400,
      "Attribute 'lines[1].quantity' must be a decimal number",
    ]);
    for (const lines of [[null], [5], [[]]])
      expect((await send('POST', 't_Order', { number: 'X', lines })).status).toBe(400);
  });
});

describe('1:1 compositions', () => {
  // Asserts contract/writing.md#update.
  test('the child is created, changed in place with any id, and removed by null', async () => {
    const id = await newOrder({ delivery: { carrier: 'one' } });
    const { delivery } = await order(id);
    expect(delivery).toMatchObject({ carrier: 'one', version: 1 });
    await put(`t_Order/${id}`, { delivery: { id: crypto.randomUUID(), carrier: 'two' } });
    const changed = await order(id);
    expect(changed.delivery).toMatchObject({ id: delivery?.id, carrier: 'two', version: 2 });
    expect(changed.version).toBe(2);
    await put(`t_Order/${id}`, { delivery: null });
    expect((await order(id)).delivery).toBeUndefined();
    expect(await data.query('SELECT 1 FROM t.delivery WHERE id = $1', [delivery?.id])).toEqual([]);
    await put(`t_Order/${id}`, { delivery: { carrier: 'three' } });
    expect((await order(id)).delivery).toMatchObject({ carrier: 'three' });
  });

  // Asserts contract/decisions.md#8, contract/writing.md#body-errors.
  test('something other than an object or null: 400', async () => {
    const response = await send('POST', 't_Order', { number: 'X', delivery: [] });
    expect([response.status, response.json().details]).toEqual([400, "Attribute 'delivery' must be a JSON object"]);
  });
});

describe('associations with many', () => {
  const tagsOf = async (id: string): Promise<string[]> => {
    const plan = encodeURIComponent(
      JSON.stringify({ entity: 't_Product', properties: [{ name: 'tags', fetchPlan: { properties: ['name'] } }] }),
    );
    const response = await send('GET', `t_Product/${id}?fetchPlan=${plan}`);
    return response
      .json()
      .tags.map(({ name }: { name: string }) => name)
      .sort();
  };

  // Asserts contract/row-policies.md#merge, contract/writing.md#update.
  test('M:N arrays replace the links from either end; members are not changed', async () => {
    const [a, b, c] = [
      await create('t_Tag', { name: 'a' }),
      await create('t_Tag', { name: 'b' }),
      await create('t_Tag', { name: 'c' }),
    ];
    const id = await create('t_Product', { name: 'p', tags: [{ id: a, name: 'ignored' }, { id: b }, { id: a }] });
    expect(await tagsOf(id)).toEqual(['a', 'b']);
    await put(`t_Product/${id}`, { tags: [{ id: b }, { id: c }] });
    expect(await tagsOf(id)).toEqual(['b', 'c']);
    await put(`t_Tag/${a}`, { products: [{ id }] });
    expect(await tagsOf(id)).toEqual(['a', 'b', 'c']);
    await put(`t_Product/${id}`, { tags: null });
    expect(await tagsOf(id)).toEqual([]);
    expect((await send('GET', `t_Tag/${a}`)).status).toBe(200);
    const version = (await send('GET', `t_Product/${id}`)).json().version;
    await put(`t_Product/${id}`, { tags: [] });
    expect((await send('GET', `t_Product/${id}`)).json().version).toBe(version);
  });

  // Asserts contract/row-policies.md#merge, contract/writing.md#update.
  test('a member that does not exist: 400 and no link', async () => {
    const id = await create('t_Product', { name: 'p' });
    for (const tags of [[{ id: crypto.randomUUID() }], [{}]]) {
      const response = await put(`t_Product/${id}`, { tags });
      expect([response.status, response.json()]).toEqual([
        400,
        { error: 'Entity update failed', details: "Referenced entity for property 'tags' is missing" },
      ]);
    }
    expect(await tagsOf(id)).toEqual([]);
  });

  // Asserts contract/decisions.md#6, contract/row-policies.md#merge, contract/writing.md#update.
  test('1:N arrays set the inverse reference; removed members are kept without it', async () => {
    const [one, two] = [await create('t_Product', { name: '1' }), await create('t_Product', { name: '2' })];
    const id = await create('t_Customer', { name: 'x', favourites: [{ id: one }] });
    const fans = () =>
      data.query<{ fan_id: string | null }>('SELECT fan_id FROM t.product WHERE id = ANY($1) ORDER BY name', [
        [one, two],
      ]);
    expect((await fans()).map(({ fan_id }) => fan_id)).toEqual([id, null]);
    await put(`t_Customer/${id}`, { favourites: [{ id: two }] });
    expect((await fans()).map(({ fan_id }) => fan_id)).toEqual([null, id]);
    await put(`t_Customer/${id}`, { favourites: [] });
    expect((await fans()).map(({ fan_id }) => fan_id)).toEqual([null, null]);
    const missing = await put(`t_Customer/${id}`, { favourites: [{ id: crypto.randomUUID() }] });
    expect([missing.status, missing.json().error]).toEqual([400, 'Entity update failed']);
  });

  // Asserts contract/writing.md#update.
  test('a replaced 1:N association increments the version of the instance once, and only if its members change', async () => {
    const [one, two] = [await create('t_Product', { name: '1' }), await create('t_Product', { name: '2' })];
    const id = await create('t_Customer', { name: 'x', favourites: [{ id: one }] });
    const version = async () => (await send('GET', `t_Customer/${id}`)).json().version;
    expect(await version()).toBe(1);
    await put(`t_Customer/${id}`, { favourites: [{ id: one }] });
    expect(await version()).toBe(1);
    await put(`t_Customer/${id}`, { favourites: [{ id: two }] });
    expect(await version()).toBe(2);
    await put(`t_Customer/${id}`, { name: 'y', favourites: [{ id: one }, { id: two }] });
    expect(await version()).toBe(3);
    await put(`t_Customer/${id}`, { favourites: [] });
    expect(await version()).toBe(4);
  });

  // Asserts contract/writing.md#update.
  test('an outdated version is detected if only the members of a 1:N association have changed', async () => {
    const [one, two] = [await create('t_Product', { name: '1' }), await create('t_Product', { name: '2' })];
    const id = await create('t_Customer', { name: 'x' });
    const tag = (await send('GET', `t_Customer/${id}`)).headers.get('etag') ?? '';
    const replace = (member: string) =>
      data.send('admin', 'PUT', `/entities/t_Customer/${id}`, { favourites: [{ id: member }] }, { 'if-match': tag });
    const first = await replace(one);
    expect([first.status, first.headers.get('etag')?.startsWith('"2.')]).toEqual([200, true]);
    expect((await replace(two)).status).toBe(412);
    expect(await data.query('SELECT id FROM t.product WHERE fan_id = $1', [id])).toEqual([{ id: one }]);
  });

  // Asserts contract/writing.md#update.
  test('a member that moves within a batch increments both versions; events name the association', async () => {
    const product = await create('t_Product', { name: '1' });
    const last = await create('t_Customer', { name: 'last', favourites: [{ id: product }] });
    const first = await create('t_Customer', { name: 'first' });
    const versions = async () =>
      Promise.all([last, first].map(async (id) => (await send('GET', `t_Customer/${id}`)).json().version));
    const named = { favourites: [{ id: product }] };
    await send('PUT', 't_Customer', [
      { id: first, ...named },
      { id: last, ...named },
    ]);
    expect(await versions()).toEqual([1, 1]);
    await data.query('DELETE FROM events.outbox');
    await send('PUT', 't_Customer', [
      { id: last, favourites: [] },
      { id: first, ...named },
    ]);
    expect(await versions()).toEqual([2, 2]);
    const events = await data.query<{ subject: string; attributes: readonly string[] }>(
      "SELECT subject, envelope -> 'data' -> 'attributes' AS attributes FROM events.outbox ORDER BY position",
    );
    for (const id of [last, first])
      expect(events.find(({ subject }) => subject === `t_Customer/${id}`)?.attributes).toEqual(
        expect.arrayContaining(['favourites', 'version']),
      );
  });

  test('if several instances of a request name the same member, it belongs to the last one, also if it did before', async () => {
    const product = await create('t_Product', { name: '1' });
    const first = await create('t_Customer', { name: 'first' });
    const last = await create('t_Customer', { name: 'last', favourites: [{ id: product }] });
    const stored = () => data.query('SELECT fan_id, version FROM t.product WHERE id = $1', [product]);
    const before = await stored();
    const named = { favourites: [{ id: product }] };
    const response = await send('PUT', 't_Customer', [
      { id: first, ...named },
      { id: last, ...named },
    ]);
    expect(response.status).toBe(200);
    expect(await stored()).toEqual(before);
    await send('PUT', 't_Customer', [
      { id: last, ...named },
      { id: first, ...named },
    ]);
    expect(await stored()).toEqual([expect.objectContaining({ fan_id: first })]);
  });

  // Asserts contract/decisions.md#52, contract/writing.md#update.
  test('a member with a mandatory inverse reference is not removed: 400 for that reference', async () => {
    const customer = await create('t_Customer', { name: 'x' });
    await create('t_Order', { number: 'A1', customer: { id: customer } });
    const response = await put(`t_Customer/${customer}`, { orders: [] });
    expect([response.status, response.json()]).toEqual([
      400,
      [expect.objectContaining({ path: 'orders.customer', message: 'may not be null', invalidValue: null })],
    ]);
  });
});
