import { as, createOrder, demo, query, unique } from '../api.ts';

const orders = '/entities/sales_Order';
const order = `${orders}/${demo.order(1)}`;
const IDENTITY = ['_entityName', '_instanceName', 'id'];

const read = async (path: string, parameters: Readonly<Record<string, unknown>> = {}) =>
  (await as('admin', 'GET', `${path}${query(parameters)}`)).json();
const keys = async (path: string, plan: unknown): Promise<string[]> =>
  Object.keys(await read(path, { fetchPlan: plan, returnNulls: 'true' }));

describe('what a plan selects (contract/fetch-plans.md#parameter, #fetch-plans)', () => {
  // Asserts contract/fetch-plans.md#fetch-plans.
  test('_local: stored single values, neither references nor embedded objects nor collections', async () => {
    const shown = await keys(`/entities/sales_Customer/${demo.customer(5)}`, '_local');
    expect(shown.sort()).toEqual(
      [
        ...IDENTITY,
        ...['version', 'createdDate', 'createdBy', 'lastModifiedDate', 'lastModifiedBy', 'deletedDate', 'deletedBy'],
        ...['name', 'email', 'phone', 'grade', 'active', 'birthDate', 'creditLimit', 'avatar'],
      ].sort(),
    );
  });

  // Asserts contract/fetch-plans.md#fetch-plans, contract/fetch-plans.md#parameter.
  test('_base: _local, embedded objects and the references of the instance name', async () => {
    const local = await keys(`/entities/sales_Customer/${demo.customer(5)}`, '_local');
    expect((await keys(`/entities/sales_Customer/${demo.customer(5)}`, '_base')).sort()).toEqual(
      [...local, 'address'].sort(),
    );
    const line = (await as('admin', 'GET', '/entities/sales_OrderLine?limit=1')).json()[0];
    expect(await read(`/entities/sales_OrderLine/${line.id}`, { fetchPlan: '_base' })).toEqual(line);
  });

  // Asserts contract/fetch-plans.md#fetch-plans, contract/fetch-plans.md#parameter.
  test('_instance_name: what the name is made of', async () => {
    expect(await keys(order, '_instance_name')).toEqual([...IDENTITY, 'number']);
    // contract/decisions.md#79
    expect(await keys(order, '_minimal')).toEqual([...IDENTITY, 'number']);
    const line = (await as('admin', 'GET', '/entities/sales_OrderLine?limit=1&fetchPlan=_instance_name')).json()[0];
    expect(Object.keys(line)).toEqual([...IDENTITY, 'product']);
    expect(Object.keys(line.product)).toEqual([...IDENTITY, 'name']);
  });

  // Asserts contract/decisions.md#7, contract/fetch-plans.md#fetch-plans, contract/fetch-plans.md#parameter,
  // contract/instances.md#instance-name, contract/instances.md#object.
  test('nothing comes free: no version, no system attributes, unless the plan lists them', async () => {
    expect(await keys(order, { entity: 'sales_Order', properties: ['date'] })).toEqual([...IDENTITY, 'date']);
  });

  // Asserts contract/fetch-plans.md#fetch-plans, contract/fetch-plans.md#parameter.
  test('a reference named by a text has its identity alone; an embedded object is whole', async () => {
    const plan = { entity: 'sales_Order', properties: ['customer', 'lines'] };
    const shown = await read(order, { fetchPlan: plan });
    expect(Object.keys(shown.customer)).toEqual(IDENTITY);
    expect(Object.keys(shown.lines[0])).toEqual(IDENTITY);
    const customer = await read(`/entities/sales_Customer/${demo.customer(5)}`, {
      fetchPlan: { entity: 'sales_Customer', properties: ['address'] },
    });
    expect(customer.address).toEqual({ country: 'DE', city: 'Berlin', street: 'Main street 5', zip: '10115' });
  });

  // Asserts contract/fetch-plans.md#parameter.
  test('dotted texts make nested plans, together with others for the same attribute', async () => {
    const plan = {
      entity: 'sales_Order',
      properties: [
        'customer.name',
        'customer.address.city',
        { name: 'customer', fetchPlan: { properties: ['email'] } },
      ],
    };
    const { customer } = await read(`${orders}/${demo.order(2)}`, { fetchPlan: plan, returnNulls: 'true' });
    expect(Object.keys(customer)).toEqual([...IDENTITY, 'name', 'email', 'address']);
    expect(Object.keys(customer.address)).toEqual(['city']);
  });

  // Asserts contract/fetch-plans.md#parameter.
  test('a nested plan may be the name of one defined before it, of a built-in plan or of a plan of the application', async () => {
    const plan = (fetchPlan: string) => ({
      entity: 'sales_Order',
      properties: [
        {
          name: 'lines',
          fetchPlan: { properties: [{ name: 'order', fetchPlan: { name: 'up', properties: ['date'] } }] },
        },
        { name: 'customer', fetchPlan: { properties: [{ name: 'orders', fetchPlan }] } },
      ],
    });
    const shown = await read(order, { fetchPlan: plan('up') });
    expect(Object.keys(shown.customer.orders[0]).slice(0, 3)).toEqual(IDENTITY);
    const local = await read(order, { fetchPlan: plan('_local') });
    // The root itself is on the path, so it is written as an identity only, and the collection has no order.
    const sibling = ({ customer }: { customer: { orders: { id: string }[] } }) =>
      customer.orders.find(({ id }) => id !== demo.order(1)) as object;
    expect(Object.keys(sibling(local))).toContain('number');
    const named = await read(order, { fetchPlan: plan('order-list') });
    expect(Object.keys(sibling(named))).toEqual(expect.arrayContaining(['number', 'date', 'customer']));
    const response = await as('admin', 'GET', `${order}${query({ fetchPlan: plan('other') })}`);
    expect([response.status, response.json().error]).toEqual([400, 'Invalid FetchPlan definition']);
    expect(response.json().details).toContain('other');
  });

  // Asserts contract/fetch-plans.md#fetch-plans, contract/fetch-plans.md#parameter.
  test('fetch modes are accepted and change nothing', async () => {
    const plan = (fetch?: string) => ({
      entity: 'sales_Order',
      properties: [
        { name: 'customer', fetchPlan: { properties: ['name'] }, ...(fetch === undefined ? {} : { fetch }) },
      ],
    });
    const expected = await read(order, { fetchPlan: plan() });
    for (const fetch of ['AUTO', 'UNDEFINED', 'JOIN', 'BATCH', 'other'])
      expect(await read(order, { fetchPlan: plan(fetch) })).toEqual(expected);
  });

  // Asserts contract/fetch-plans.md#parameter.
  test('the inline form of a named plan selects the same', async () => {
    const definition = {
      name: 'order-list',
      entity: 'sales_Order',
      properties: [
        ...['number', 'date', 'status', 'amount'],
        { name: 'customer', fetchPlan: { name: 'inner', properties: ['name', 'email'] } },
      ],
    };
    expect(await read(orders, { fetchPlan: definition, limit: 5, sort: 'number' })).toEqual(
      await read(orders, { fetchPlan: 'order-list', limit: 5, sort: 'number' }),
    );
  });

  // Asserts contract/fetch-plans.md#parameter.
  test.each<[string, unknown]>([
    ['an array', []],
    ['null', null],
    ['a number', 7],
  ])('fetchPlan as %s in a body: 400 with its text', async (_case, fetchPlan) => {
    const response = await as('admin', 'POST', `${orders}/search`, { body: { filter: {}, fetchPlan } });
    expect([response.status, response.json()]).toEqual([
      400,
      { error: 'Invalid FetchPlan definition', details: JSON.stringify(fetchPlan) },
    ]);
  });

  // Asserts contract/fetch-plans.md#parameter.
  test('an unknown name in a body is refused as in the URL (contract/decisions.md#5)', async () => {
    const response = await as('admin', 'POST', `${orders}/search`, { body: { filter: {}, fetchPlan: 'no-such' } });
    expect([response.status, response.json()]).toEqual([
      400,
      { error: 'Fetch plan not found', details: 'Fetch plan no-such for entity sales_Order not found' },
    ]);
  });

  // Asserts contract/fetch-plans.md#fetch-plans.
  test('plans are known for their own entity: a plan of another one is none', async () => {
    expect((await as('admin', 'GET', `/entities/sales_Customer?fetchPlan=order-list`)).status).toBe(400);
  });
});

describe('the shape of objects (contract/instances.md#object)', () => {
  test('identity comes first, at every level; then the attributes in the order of the model', async () => {
    const shown = await read(order, { fetchPlan: 'order-edit' });
    for (const object of [shown, shown.customer, shown.lines[0], shown.lines[0].product])
      expect(Object.keys(object).slice(0, 3)).toEqual(IDENTITY);
    expect([shown._entityName, shown.customer._entityName, shown.lines[0]._entityName]).toEqual([
      'sales_Order',
      'sales_Customer',
      'sales_OrderLine',
    ]);
    const attributes = await keys(order, { entity: 'sales_Order', properties: ['notes', 'date', 'number'] });
    expect(attributes).toEqual([...IDENTITY, 'number', 'date', 'notes']);
  });

  // Asserts contract/decisions.md#7, contract/instances.md#object.
  test('a key of another name is shown under both', async () => {
    expect(await keys('/entities/sales_Warehouse/BER', { entity: 'sales_Warehouse', properties: ['code'] })).toEqual([
      ...IDENTITY,
      'code',
    ]);
    expect(await keys('/entities/sales_Warehouse/BER', { entity: 'sales_Warehouse', properties: ['name'] })).toEqual([
      ...IDENTITY,
      'name',
    ]);
  });

  // Asserts contract/instances.md#object.
  test('an instance on its own path is written short', async () => {
    const plan = {
      entity: 'sales_Order',
      properties: [
        'number',
        { name: 'lines', fetchPlan: { properties: [{ name: 'order', fetchPlan: { properties: ['date'] } }] } },
      ],
    };
    const shown = await read(order, { fetchPlan: plan });
    expect(shown.lines[0].order).toEqual({ _entityName: 'sales_Order', _instanceName: shown.number, id: shown.id });
  });

  // Asserts contract/conventions.md#endpoints, contract/instances.md#object.
  test('absent values are left out at every level, or null on request', async () => {
    const plan = {
      entity: 'sales_Order',
      properties: ['confirmedAt', { name: 'delivery', fetchPlan: { properties: ['window'] } }, 'manager'],
    };
    const path = `${orders}${query({ fetchPlan: plan, sort: 'number', limit: 40 })}`;
    const without: Record<string, unknown>[] = (await as('admin', 'GET', path)).json();
    const withNulls: Record<string, unknown>[] = (await as('admin', 'GET', `${path}&returnNulls=true`)).json();
    for (const row of without) expect(Object.values(row)).not.toContain(null);
    for (const row of withNulls)
      expect(Object.keys(row)).toEqual([...IDENTITY, 'confirmedAt', 'delivery', 'manager'].sort(byModel));
  });
  const byModel = (one: string, other: string): number => MODEL.indexOf(one) - MODEL.indexOf(other);
  const MODEL = [...IDENTITY, 'manager', 'delivery', 'confirmedAt'];

  // Asserts contract/instances.md#computed, contract/instances.md#object.
  test('computed attributes are shown when the plan names them, and hidden by the built-in plans', async () => {
    const plan = { entity: 'sales_Order', properties: ['lineCount', 'lines'] };
    const shown = await read(order, { fetchPlan: plan });
    expect(shown.lineCount).toBe(shown.lines.length);
    expect(await read(order, { fetchPlan: { entity: 'sales_Order', properties: ['lineCount'] } })).toHaveProperty(
      'lineCount',
    );
    for (const name of ['_local', '_base'])
      expect(await read(order, { fetchPlan: name })).not.toHaveProperty('lineCount');
  });

  // Asserts contract/instances.md#object.
  test('references to entities the caller may not read are left out, even if the attribute is viewable', async () => {
    const plan = { entity: 'sales_Order', properties: ['manager', 'number'] };
    for (const more of [{}, { returnNulls: 'true' }]) {
      const response = await as('clerk', 'GET', `${orders}${query({ fetchPlan: plan, limit: 5, ...more })}`);
      expect(response.status).toBe(200);
      for (const row of response.json()) expect(row).not.toHaveProperty('manager');
    }
  });
});

describe('sorting (contract/reading.md#sort)', () => {
  const numbers = async (sort: string): Promise<string[]> =>
    (await as('admin', 'GET', `${orders}?limit=5&offset=0&fetchPlan=_local&${sort}`))
      .json()
      .map((row: { number: string }) => row.number);

  // Asserts contract/reading.md#sort.
  test('blanks around keys and empty keys do not count', async () => {
    expect(await numbers('sort=%20date%20,,%20-number%20')).toEqual(await numbers('sort=date,-number'));
  });

  // Asserts contract/reading.md#sort.
  test('a plus sign, encoded or not, sorts ascending as no sign does', async () => {
    const expected = await numbers('sort=date,number');
    expect(await numbers('sort=%2Bdate,%2Bnumber')).toEqual(expected);
    expect(await numbers('sort=+date,+number')).toEqual(expected);
  });

  // Asserts contract/reading.md#sort.
  test('a nested key keeps the rows whose reference is empty (contract/decisions.md#12)', async () => {
    const all = (await as('admin', 'GET', `${orders}?limit=1&returnCount=true`)).headers.get('x-total-count');
    const sorted = await as(
      'admin',
      'GET',
      `${orders}${query({ sort: 'delivery.carrier', fetchPlan: '_instance_name' })}`,
    );
    expect(String(sorted.json().length)).toBe(all);
  });

  // Asserts contract/decisions.md#12, contract/reading.md#sort.
  test('nulls come last in ascending order and first in descending order, as PostgreSQL sorts', async () => {
    const plan = { entity: 'sales_Order', properties: [{ name: 'delivery', fetchPlan: { properties: ['carrier'] } }] };
    const carriers = async (sort: string): Promise<boolean[]> =>
      (await as('admin', 'GET', `${orders}${query({ sort, fetchPlan: plan })}`))
        .json()
        .map((row: { delivery?: object }) => 'carrier' in (row.delivery ?? {}));
    const ascending = await carriers('delivery.carrier');
    expect(ascending.indexOf(false)).toBeGreaterThan(ascending.lastIndexOf(true));
    const descending = await carriers('-delivery.carrier');
    expect(descending.indexOf(true)).toBeGreaterThan(descending.lastIndexOf(false));
  });

  // Asserts contract/reading.md#sort.
  test('a sort that is a sign alone: 400', async () => {
    expect((await as('admin', 'GET', `${orders}?sort=-`)).status).toBe(400);
  });
});

describe('members of collections (contract/fetch-plans.md#members)', () => {
  const names = [unique('a'), unique('b')];
  beforeAll(async () => {
    for (const [at, name] of names.entries()) {
      const customer = (await as('admin', 'POST', '/entities/sales_Customer', { body: { name } })).json();
      const statuses = ['SHIPPED', 'CONFIRMED', 'SHIPPED', 'NEW', 'NEW'].slice(at);
      for (const [day, status] of statuses.entries())
        await createOrder({ customer: { id: customer.id }, status, date: `2026-03-0${day + 1}` });
    }
  });
  const ours = { conditions: [{ property: 'name', operator: 'in', value: names }] };
  const dated = (selection: object) => ({
    entity: 'sales_Customer',
    properties: [{ name: 'orders', fetchPlan: { properties: ['date', 'status'] }, ...selection }],
  });
  const customers = async (selection: object, user = 'admin') =>
    (
      await as(user, 'POST', '/entities/sales_Customer/search', {
        body: { filter: ours, fetchPlan: dated(selection), sort: 'name' },
      })
    ).json();
  interface Customer {
    readonly orders: readonly { readonly id: string; readonly date: string; readonly status: string }[];
    readonly _counts?: { readonly orders: number };
  }

  // Asserts contract/fetch-plans.md#members.
  test('each customer shows the latest orders of all, and their number', async () => {
    const whole: readonly Customer[] = await customers({});
    const latest: readonly Customer[] = await customers({ sort: '-date', limit: 3, count: true });
    expect(whole.some(({ orders: all }) => all.length > 3)).toBe(true);
    for (const [at, { orders: all }] of whole.entries()) {
      const sorted = all.toSorted((one, other) => (`${one.date} ${one.id}` < `${other.date} ${other.id}` ? 1 : -1));
      expect(latest[at]).toMatchObject({
        orders: sorted.slice(0, 3),
        _partial: ['orders'],
        _counts: { orders: all.length },
      });
    }
    expect(whole.every((customer) => !('_partial' in customer || '_counts' in customer))).toBe(true);
  });

  // Asserts contract/fetch-plans.md#members.
  test('a filter and an offset choose the members, in GET and POST alike', async () => {
    const filter = { conditions: [{ property: 'status', operator: 'in', value: ['SHIPPED', 'CONFIRMED'] }] };
    const whole: readonly Customer[] = await customers({});
    const selected: readonly Customer[] = await customers({ filter, offset: 1 });
    for (const [at, { orders: all }] of whole.entries()) {
      const kept = all.filter(({ status }) => status !== 'NEW');
      expect(selected[at]?.orders).toEqual(kept.slice(1));
    }
    expect(selected.map(({ orders }) => orders.length)).toEqual([2, 1]);
    const parameters = { filter: ours, fetchPlan: dated({ filter, offset: 1 }), sort: 'name' };
    expect(await read('/entities/sales_Customer/search', parameters)).toEqual(selected);
  });

  // Asserts contract/fetch-plans.md#members.
  test('hidden attributes select nothing, and mistakes name the attribute', async () => {
    const refusal = async (selection: object, user: string) => {
      const body = { filter: { conditions: [] }, fetchPlan: dated(selection) };
      const { status, text } = await as(user, 'POST', '/entities/sales_Customer/search', { body });
      return [status, text];
    };
    expect(await refusal({ sort: 'nothing' }, 'admin')).toEqual([
      400,
      expect.stringContaining('orders: Cannot sort sales_Order by nothing'),
    ]);
    const hidden = { filter: { conditions: [{ property: 'customer.creditLimit', operator: '>', value: 1 }] } };
    expect(await refusal(hidden, 'admin')).toEqual([200, expect.any(String)]);
    expect(await refusal(hidden, 'clerk')).toEqual([403, expect.stringContaining('sales_Customer.creditLimit')]);
  });
});
