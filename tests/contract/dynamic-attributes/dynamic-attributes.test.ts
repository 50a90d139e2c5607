import { as, demo, query, unique } from '../api.ts';
import { ALL, createCustomer, dynamicOf, path, read, SHOWN } from './customers.ts';

describe('reading dynamic attributes (contract/dynamic-attributes.md#reading)', () => {
  test('the demo category Loyalty has values of every customer that takes part', async () => {
    const customer = await read(demo.customer(1));
    expect(dynamicOf(customer)).toEqual({
      '+loyaltyNumber': 'L-0001',
      '+loyaltyPoints': 125,
      '+vip': false,
      '+favourite': { _entityName: 'sales_Product', _instanceName: expect.any(String), id: expect.any(String) },
    });
    expect(dynamicOf(await read(demo.customer(2)))).toEqual({});
  });

  // Asserts contract/dynamic-attributes.md#reading.
  test('dynamicAttributes=true adds members +code at the top level, beside any plan; without it there are none', async () => {
    const { id } = (await createCustomer(ALL)).json();
    for (const plan of ['_local', '_base', '_instance_name', 'customer-with-orders'])
      expect(dynamicOf(await read(id, { fetchPlan: plan }))).toEqual(SHOWN);
    for (const url of [`${path}/${id}`, `${path}/${id}?dynamicAttributes=false`])
      expect((await as('admin', 'GET', url)).text).not.toContain('"+loyalty');
  });

  // Asserts contract/instances.md#object.
  test('they come after the attributes of the plan', async () => {
    const { id } = (await createCustomer(ALL)).json();
    const names = Object.keys(await read(id, { fetchPlan: { entity: 'sales_Customer', properties: ['name'] } }));
    expect(names).toEqual(['_entityName', '_instanceName', 'id', 'name', ...Object.keys(ALL)]);
  });

  // Asserts contract/dynamic-attributes.md#dynamic-attributes.
  test('list, URL search and POST search have them; of a POST search the body decides', async () => {
    const { id } = (await createCustomer(ALL)).json();
    const filter = { conditions: [{ property: 'id', operator: '=', value: id }] };
    const listed = await as('admin', 'GET', `${path}/search${query({ filter, dynamicAttributes: 'true' })}`);
    expect(listed.json().map(dynamicOf)).toEqual([SHOWN]);
    const plain = await as(
      'admin',
      'GET',
      `${path}${query({ dynamicAttributes: 'true', sort: '-createdDate', limit: '5' })}`,
    );
    expect(plain.json().map(dynamicOf)).toContainEqual(SHOWN);
    const searched = await as('admin', 'POST', `${path}/search`, { body: { filter, dynamicAttributes: true } });
    expect(searched.json().map(dynamicOf)).toEqual([SHOWN]);
    const ignored = await as('admin', 'POST', `${path}/search?dynamicAttributes=true`, { body: { filter } });
    expect(ignored.json().map(dynamicOf)).toEqual([{}]);
  });

  // Asserts contract/dynamic-attributes.md#reading.
  test('nested objects that the plan covers have theirs', async () => {
    const { id } = (await createCustomer(ALL)).json();
    const order = await as('admin', 'POST', '/entities/sales_Order', {
      body: { number: unique('D'), date: '2026-02-03', customer: { id } },
    });
    const plan = { entity: 'sales_Order', properties: ['number', { name: 'customer', fetchPlan: { properties: [] } }] };
    const url = `/entities/sales_Order/${order.json().id}${query({ fetchPlan: plan, dynamicAttributes: 'true' })}`;
    expect(dynamicOf((await as('admin', 'GET', url)).json().customer)).toEqual(SHOWN);
  });

  // Asserts contract/queries.md#definitions.
  test('predefined queries have them, by GET and POST', async () => {
    const url = '/queries/sales_Customer';
    const all = await as('admin', 'GET', `${url}/all${query({ dynamicAttributes: 'true', limit: '1000' })}`);
    const first = all.json().find(({ id }: { id: string }) => id === demo.customer(1));
    expect(dynamicOf(first)).toMatchObject({ '+loyaltyNumber': 'L-0001' });
    const { minTotal, ...controls } = { minTotal: '1', dynamicAttributes: 'true', limit: '100' };
    const got = await as('admin', 'GET', `${url}/topCustomers${query({ minTotal, ...controls })}`);
    const posted = await as('admin', 'POST', `${url}/topCustomers${query(controls)}`, { body: { minTotal } });
    expect(got.json().map(dynamicOf)).toContainEqual(expect.objectContaining({ '+loyaltyNumber': 'L-0001' }));
    expect(posted.json()).toEqual(got.json());
    expect((await as('admin', 'GET', `${url}/topCustomers${query({ minTotal })}`)).text).not.toContain('"+loyalty');
  });

  // Asserts contract/dynamic-attributes.md#reading.
  test('null values are left out; with returnNulls=true they are null', async () => {
    const { id } = (await createCustomer({ '+loyaltyPoints': 1 })).json();
    expect(dynamicOf(await read(id))).toEqual({ '+loyaltyPoints': 1 });
    expect(dynamicOf(await read(id, { returnNulls: 'true' }))).toEqual({
      '+loyaltyNumber': null,
      '+loyaltyPoints': 1,
      '+vip': null,
      '+favourite': null,
    });
  });

  // Asserts contract/decisions.md#12, contract/dynamic-attributes.md#filtering,
  // contract/dynamic-attributes.md#sorting, contract/reading.md#sort.
  test('without dynamicAttributes, a filter on one is an unknown property; a sort by one an unknown attribute', async () => {
    const filter = { conditions: [{ property: '+loyaltyPoints', operator: '>', value: 1 }] };
    const refused = {
      error: 'Cannot parse entities filter',
      details: 'Property for sales_Customer not found: +loyaltyPoints',
    };
    for (const end of ['search', 'search/count']) {
      const filtered = await as('admin', 'POST', `${path}/${end}`, { body: { filter } });
      expect([filtered.status, filtered.json()]).toEqual([400, refused]);
    }
    for (const sort of ['+loyaltyPoints', '++loyaltyPoints', '-+loyaltyPoints']) {
      const sorted = await as('admin', 'GET', `${path}${query({ sort })}`);
      expect([sorted.status, sorted.text]).toEqual([400, expect.stringContaining('loyaltyPoints')]);
    }
  });

  // Asserts contract/dynamic-attributes.md#dynamic-attributes, contract/roles.md#attributes-read,
  // contract/roles.md#attributes-write, contract/user.md#permissions.
  test('no attribute policy is about them, and they are in no list of permissions', async () => {
    const { id } = (await createCustomer({ ...ALL, address: { country: 'DE' } })).json();
    expect(dynamicOf(await read(id, {}, 'clerk'))).toEqual(SHOWN);
    expect((await as('admin', 'GET', '/permissions')).text).not.toContain('loyalty');
  });

  // Asserts contract/decisions.md#8, contract/reading.md#reading.
  test.each(['maybe', '2'])('dynamicAttributes=%s is refused', async (value) => {
    const response = await as('admin', 'GET', `${path}${query({ dynamicAttributes: value })}`);
    expect([response.status, response.text]).toEqual([400, expect.stringContaining('dynamicAttributes')]);
  });
});

describe('sorting by dynamic attributes (contract/dynamic-attributes.md#sorting)', () => {
  const named = unique('dyns');
  let ids: readonly string[];
  beforeAll(async () => {
    const created = [
      await createCustomer({ name: named, '+loyaltyPoints': 7, '+vip': true, address: { country: 'DE' } }),
      await createCustomer({ name: named, '+loyaltyPoints': 3, '+vip': true, address: { country: 'DE' } }),
      await createCustomer({ name: named, '+loyaltyPoints': 10, '+vip': false, address: { country: 'DE' } }),
      await createCustomer({ name: named, address: { country: 'DE' } }),
    ];
    ids = created.map((response) => String(response.json().id));
  });

  const sorted = (sort: string, more: object = {}, entity = path, property = 'name') =>
    as('admin', 'POST', `${entity}/search`, {
      body: {
        ...{ filter: { conditions: [{ property, operator: '=', value: named }] }, sort, dynamicAttributes: true },
        ...{ fetchPlan: '_instance_name', ...more },
      },
    });
  type Items = readonly { readonly id: string }[];
  const positionsOf = (items: Items): readonly number[] => items.map(({ id }) => ids.indexOf(id));

  // Asserts contract/dynamic-attributes.md#sorting.
  test('in both directions, by those of a reference, and page by page with cursors', async () => {
    expect(positionsOf((await sorted('++loyaltyPoints')).json() as Items)).toEqual([1, 0, 2, 3]);
    expect(positionsOf((await sorted('-+loyaltyPoints')).json() as Items)).toEqual([3, 2, 0, 1]);
    expect(positionsOf((await sorted('++vip,-+loyaltyPoints')).json() as Items)).toEqual([2, 0, 1, 3]);

    const found: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await sorted('-+loyaltyPoints', { limit: 1, ...(cursor !== undefined && { cursor }) });
      expect(page.status).toBe(200);
      found.push(...positionsOf(page.json() as Items));
      cursor = /[?&]cursor=([^&>]+)/.exec(page.headers.get('link') ?? '')?.[1];
    } while (cursor !== undefined);
    expect(found).toEqual([3, 2, 0, 1]);

    const orders = await Promise.all(
      [0, 1].map(async (at) => {
        const body = { number: unique('dyns'), date: '2026-11-26', customer: { id: ids[at] } };
        return String((await as('admin', 'POST', '/entities/sales_Order', { body })).json().id);
      }),
    );
    const ofCustomers = await sorted('customer.+loyaltyPoints', {}, '/entities/sales_Order', 'customer.name');
    expect((ofCustomers.json() as Items).map(({ id }) => id)).toEqual([orders[1], orders[0]]);
  });

  // Asserts contract/dynamic-attributes.md#sorting.
  test.each(['++nothing', '-+favourite', '+vip', 'category.+vip', '++vip.x'])(
    'a sort by %s is refused by name',
    async (sort) => {
      const { status, text } = await sorted(sort);
      expect([status, text]).toEqual([
        400,
        expect.stringContaining(`Cannot sort sales_Customer by ${sort.slice(/^[+-]/.test(sort) ? 1 : 0)}`),
      ]);
    },
  );
});

describe('filtering by dynamic attributes (contract/dynamic-attributes.md#filtering)', () => {
  const named = unique('dynf');
  let ids: readonly string[];
  beforeAll(async () => {
    const created = [
      await createCustomer({ ...ALL, name: named, '+loyaltyNumber': `${named}%`, address: { country: 'DE' } }),
      await createCustomer({ name: named, '+loyaltyPoints': 9007, '+vip': false, address: { country: 'DE' } }),
      await createCustomer({ name: named, address: { country: 'DE' } }),
    ];
    ids = created.map((response) => String(response.json().id));
  });

  const search = (conditions: readonly object[], user = 'admin', entity = path) =>
    as(user, 'POST', `${entity}/search`, {
      body: { filter: { conditions }, fetchPlan: '_instance_name', dynamicAttributes: true },
    });

  // Asserts contract/dynamic-attributes.md#filtering.
  test.each<[string, string, unknown, readonly number[]]>([
    ['+loyaltyPoints', '>', 7, [1]],
    ['+loyaltyPoints', '=', 7, [0]],
    ['+loyaltyPoints', '<>', 7, [1]],
    ['+loyaltyPoints', 'isNull', undefined, [2]],
    ['+loyaltyPoints', 'notEmpty', undefined, [0, 1]],
    ['+vip', '=', true, [0]],
    ['+loyaltyNumber', 'endsWith', '%', [0]],
    ['+loyaltyNumber', 'contains', "' OR 1=1 --", []],
    ['+favourite', '=', demo.product(3), [0]],
    ['+favourite', 'in', [{ id: demo.product(3) }, demo.product(4)], [0]],
    ['+favourite', 'isNull', undefined, [1, 2]],
  ])('%s %s %j', async (property, operator, value, expected) => {
    const ofTest = { property: 'name', operator: '=', value: named };
    const response = await search([ofTest, { property, operator, value }]);
    expect(response.status).toBe(200);
    const found = (response.json() as readonly { readonly id: string }[]).map(({ id }) => ids.indexOf(id));
    expect(found.sort()).toEqual(expected);
  });

  // Asserts contract/dynamic-attributes.md#filtering.
  test('by those of a reference, in a group, and in a count', async () => {
    const order = { number: unique('dynf'), date: '2026-11-26', customer: { id: ids[0] } };
    const { id } = (await as('admin', 'POST', '/entities/sales_Order', { body: order })).json();
    const vip = { property: 'customer.+vip', operator: '=', value: true };
    const conditions = [
      { property: 'number', operator: '=', value: order.number },
      { group: 'OR', conditions: [vip, { property: 'customer.+loyaltyPoints', operator: '<', value: 0 }] },
    ];
    expect((await search(conditions, 'admin', '/entities/sales_Order')).json()).toMatchObject([{ id }]);
    const filter = { conditions: [...conditions, { group: 'NOT', conditions: [vip] }] };
    const members = { filter, dynamicAttributes: true };
    const counted = await as('admin', 'GET', `/entities/sales_Order/search/count${query(members)}`);
    expect(counted.json()).toBe(0);
    const posted = await as('admin', 'POST', '/entities/sales_Order/search/count', { body: members });
    expect(posted.json()).toBe(0);
  });

  // Asserts contract/dynamic-attributes.md#filtering.
  test.each([
    ['+unknown', 'isNull', undefined, 'Property for sales_Customer not found: +unknown'],
    ['+favourite.name', 'isNull', undefined, 'Property for sales_Customer not found: +favourite.name'],
    ['+loyaltyPoints', '=', '1 OR 1=1', 'Cannot parse property value: 1 OR 1=1'],
    ['+loyaltyPoints', 'contains', '1', 'Operator contains is not available for java type java.lang.Integer'],
    ['+favourite', '>', demo.product(1), 'Operator > is not available for java type sales_Product'],
  ])('%s %s %j is refused by name', async (property, operator, value, details) => {
    const response = await search([{ property, operator, value }]);
    expect([response.status, response.json()]).toEqual([400, { error: 'Cannot parse entities filter', details }]);
  });
});
