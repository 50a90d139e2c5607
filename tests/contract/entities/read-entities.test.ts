import { as, demo, query, unique } from '../api.ts';

const orders = '/entities/sales_Order';

describe('GET one (contract/reading.md#reading)', () => {
  // Asserts contract/decisions.md#46, contract/fetch-plans.md#parameter, contract/instances.md#object,
  // contract/reading.md#routes.
  test('returns _base: local attributes, embedded ones and the references of the instance name', async () => {
    const response = await as('admin', 'GET', `${orders}/${demo.order(1)}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const order = response.json();
    expect(Object.keys(order).slice(0, 3)).toEqual(['_entityName', '_instanceName', 'id']);
    expect(order).toMatchObject({
      _entityName: 'sales_Order',
      _instanceName: 'A-00001',
      id: demo.order(1),
      number: 'A-00001',
      version: 1,
    });
    expect(order).not.toHaveProperty('customer');
    expect(order).not.toHaveProperty('lines');
    expect(order).not.toHaveProperty('confirmedAt');
  });

  // Asserts contract/fetch-plans.md#fetch-plans, contract/instances.md#instance-name.
  test('a reference in the instance name is part of _base', async () => {
    const line = (await as('admin', 'GET', '/entities/sales_OrderLine?limit=1')).json()[0];
    expect(line._instanceName).toBe(line.product._instanceName);
    expect(line.product.name).toBe(line._instanceName);
  });

  // Asserts contract/instances.md#object, contract/instances.md#values.
  test('an embedded attribute has no _entityName, _instanceName or id', async () => {
    const customer = (await as('admin', 'GET', `/entities/sales_Customer/${demo.customer(5)}`)).json();
    expect(customer.address).toEqual({ country: 'DE', city: 'Berlin', street: 'Main street 5', zip: '10115' });
  });

  // Asserts contract/conventions.md#endpoints.
  test('returnNulls=true shows empty attributes as null', async () => {
    const order = (await as('admin', 'GET', `${orders}/${demo.order(1)}?returnNulls=true`)).json();
    expect(order.confirmedAt).toBeNull();
  });

  // Asserts contract/decisions.md#15, contract/decisions.md#49, contract/instances.md#values.
  test('numbers keep their scale and 64-bit integers all their digits', async () => {
    const response = await as('admin', 'GET', `/entities/sales_Product/${demo.product(1)}`);
    expect(response.text).toMatch(/"price":\s*18\.32\b/);
    expect(response.text).toMatch(/"barcode":\s*4006381000113\b/);
    const rate = await as('admin', 'GET', '/entities/sales_ExchangeRate?limit=1');
    expect(rate.text).toMatch(/"rate":\s*\d+\.\d{6}\b/);
  });

  // Asserts contract/instances.md#values.
  test('dates and times have the forms of contract/decisions.md#3', async () => {
    const order = (await as('admin', 'GET', `${orders}/${demo.order(1)}`)).json();
    expect(order.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(order.createdDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
    expect(order.placedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/);
    expect(order.deliverFrom).toBe('08:00:00');
    expect(['NEW', 'CONFIRMED', 'SHIPPED', 'CLOSED']).toContain(order.status);
  });

  // Asserts contract/instances.md#object, contract/roles.md#attributes-read.
  test('a secret attribute is in no response, not even when the plan lists it', async () => {
    const plan = { entity: 'sales_Product', properties: ['name', 'internalNote'] };
    for (const path of [`/${demo.product(1)}`, `/${demo.product(1)}${query({ fetchPlan: plan })}`]) {
      const response = await as('admin', 'GET', `/entities/sales_Product${path}`);
      expect(response.status).toBe(200);
      expect(response.text).not.toContain('internalNote');
      expect(response.text).not.toContain('Margin class');
    }
    expect((await as('admin', 'GET', '/entities/sec_User')).text).not.toContain('password');
  });

  // Asserts contract/decisions.md#5, contract/errors.md#catalogue, contract/fetch-plans.md#fetch-plans,
  // contract/fetch-plans.md#parameter, contract/instances.md#ids, contract/reading.md#errors.
  test.each([
    [
      'an unknown entity',
      '/entities/no_Such/1',
      404,
      { error: 'Entity not found', details: 'Entity no_Such not found' },
    ],
    [
      'a bad id',
      `${orders}/not-a-uuid`,
      400,
      { error: 'Invalid entity ID', details: 'Cannot convert not-a-uuid into valid entity ID' },
    ],
    [
      'an unknown plan',
      `${orders}/${demo.order(1)}?fetchPlan=no-such`,
      400,
      { error: 'Fetch plan not found', details: 'Fetch plan no-such for entity sales_Order not found' },
    ],
  ])('%s is refused with its text', async (_case, path, status, body) => {
    const response = await as('admin', 'GET', path);
    expect([response.status, response.json()]).toEqual([status, body]);
  });

  // Asserts contract/errors.md#catalogue, contract/reading.md#errors.
  test('a missing instance: 404 with an empty body (contract/decisions.md#1)', async () => {
    const response = await as('admin', 'GET', `${orders}/${demo.order(99_999)}`);
    expect([response.status, response.text]).toEqual([404, '']);
  });

  test('every kind of key is read by its path form (contract/instances.md#ids)', async () => {
    const warehouse = (await as('admin', 'GET', '/entities/sales_Warehouse/BER')).json();
    expect(warehouse).toMatchObject({ id: 'BER', code: 'BER', name: 'Berlin' });
    const movement = (await as('admin', 'GET', '/entities/sales_StockMovement?limit=1')).json()[0];
    expect(typeof movement.id).toBe('number');
    expect((await as('admin', 'GET', `/entities/sales_StockMovement/${movement.id}`)).json()).toEqual(movement);
    const key = Buffer.from(JSON.stringify({ currency: 'USD', validOn: '2026-01-01' })).toString('base64url');
    const rate = await as('admin', 'GET', `/entities/sales_ExchangeRate/${key}`);
    expect(rate.status).toBe(200);
    expect(rate.json().id).toEqual({ currency: 'USD', validOn: '2026-01-01' });
  });

  // Asserts contract/instances.md#instance-name.
  test('an instance name may come from a method', async () => {
    const movement = (await as('admin', 'GET', '/entities/sales_StockMovement?limit=1')).json()[0];
    expect(movement._instanceName).toMatch(/^\S.* × -?\d+$/);
  });

  // Asserts contract/instances.md#object.
  test('instances of descendants carry their own entity name', async () => {
    const name = unique('party');
    for (const entity of ['sales_Person', 'sales_Company'])
      await as('admin', 'POST', `/entities/${entity}`, { body: { name: `${name} ${entity}` } });
    const filter = { conditions: [{ property: 'name', operator: 'startsWith', value: name }] };
    const parties = (
      await as('admin', 'GET', `/entities/sales_Party/search${query({ filter, sort: '-name' })}`)
    ).json();
    expect(parties.map((party: { _entityName: string }) => party._entityName)).toEqual([
      'sales_Person',
      'sales_Company',
    ]);
  });
});

describe('GET list (contract/reading.md#paging, #count, #sort, contract/fetch-plans.md#parameter)', () => {
  // Asserts contract/decisions.md#12, contract/reading.md#routes, contract/reading.md#sort.
  test('limit and offset page through the sorted list without overlap', async () => {
    const page = async (offset: number): Promise<string[]> =>
      (await as('admin', 'GET', `${orders}?sort=-date&limit=4&offset=${offset}`))
        .json()
        .map(({ id }: { id: string }) => id);
    const ids = [...(await page(0)), ...(await page(4)), ...(await page(8))];
    expect(new Set(ids).size).toBe(12);
  });

  // Asserts contract/reading.md#count.
  test('returnCount adds X-Total-Count, and only then', async () => {
    const counted = await as('admin', 'GET', '/entities/sales_Warehouse?limit=1&returnCount=true');
    expect(counted.headers.get('x-total-count')).toBe('3');
    expect(counted.json()).toHaveLength(1);
    expect((await as('admin', 'GET', '/entities/sales_Warehouse?limit=1')).headers.get('x-total-count')).toBeNull();
  });

  // Asserts contract/reading.md#paging.
  test('limit=0 returns an empty array, with the right count (contract/decisions.md#9)', async () => {
    const response = await as('admin', 'GET', '/entities/sales_Warehouse?limit=0&returnCount=true');
    expect([response.json(), response.headers.get('x-total-count')]).toEqual([[], '3']);
  });

  // Asserts contract/errors.md#catalogue, contract/reading.md#paging.
  test('a limit above the maximum: 400 with the text of the contract', async () => {
    const response = await as('admin', 'GET', `${orders}?limit=10001`);
    expect([response.status, response.json()]).toEqual([
      400,
      {
        error: 'The value of limit exceeded',
        details: 'The value of the limit exceeds the maximum possible value from application.properties',
      },
    ]);
  });

  // Asserts contract/conventions.md#endpoints, contract/decisions.md#8, contract/errors.md#catalogue,
  // contract/reading.md#paging.
  test.each([
    ['limit', 'abc'],
    ['limit', '-1'],
    ['offset', '-1'],
    ['offset', '1.5'],
    ['returnNulls', 'maybe'],
    ['returnCount', 'maybe'],
  ])('%s=%s: 400 naming the parameter (contract/decisions.md#8)', async (name, value) => {
    const response = await as('admin', 'GET', `${orders}?${name}=${value}`);
    expect(response.status).toBe(400);
    expect(response.json().details).toContain(name);
  });

  // Asserts contract/reading.md#sort.
  test('sort takes several keys, nested ones, and a reference by its instance name', async () => {
    const plan = {
      entity: 'sales_Order',
      properties: ['status', 'number', { name: 'customer', fetchPlan: { properties: ['name'] } }],
    };
    const response = await as(
      'admin',
      'GET',
      `${orders}${query({ sort: 'customer.name,-number', limit: 50, fetchPlan: plan })}`,
    );
    const rows: { customer: { name: string }; number: string }[] = response.json();
    rows.slice(1).forEach((row, index) => {
      const previous = rows[index];
      if (previous?.customer.name === row.customer.name) expect(row.number < previous.number).toBe(true);
    });
    const byReference = await as(
      'admin',
      'GET',
      `${orders}${query({ sort: 'customer,-number', limit: 50, fetchPlan: plan })}`,
    );
    expect(byReference.json()).toEqual(rows);
  });

  // Asserts contract/reading.md#sort.
  test.each(['nothing', 'lines', 'customer.nothing', '+dynamic'])(
    'sort=%s: 400 naming it (contract/decisions.md#12)',
    async (sort) => {
      const response = await as('admin', 'GET', `${orders}${query({ sort })}`);
      expect(response.status).toBe(400);
      expect(response.json().details).toContain(sort.replace(/^[+-]/, ''));
    },
  );

  // Asserts contract/fetch-plans.md#parameter, contract/instances.md#instance-name, contract/instances.md#object.
  test('a named plan of the application', async () => {
    const order = (await as('admin', 'GET', `${orders}?fetchPlan=order-list&limit=1`)).json()[0];
    expect(Object.keys(order).sort()).toEqual(
      ['_entityName', '_instanceName', 'amount', 'customer', 'date', 'id', 'number', 'status'].sort(),
    );
    expect(Object.keys(order.customer)).toEqual(expect.arrayContaining(['_entityName', '_instanceName', 'id', 'name']));
  });

  // Asserts contract/fetch-plans.md#parameter, contract/instances.md#values.
  test('an inline plan goes to any depth', async () => {
    const plan = {
      entity: 'sales_Order',
      properties: [
        'number',
        'customer',
        {
          name: 'lines',
          fetchPlan: {
            properties: [
              'quantity',
              {
                name: 'product',
                fetchPlan: { properties: ['name', { name: 'tags', fetchPlan: { properties: ['name'] } }] },
              },
            ],
          },
        },
      ],
    };
    const order = (await as('admin', 'GET', `${orders}/${demo.order(1)}${query({ fetchPlan: plan })}`)).json();
    expect(Object.keys(order.customer)).toEqual(['_entityName', '_instanceName', 'id']);
    expect(order.lines.length).toBeGreaterThan(0);
    expect(order.lines[0].product.tags[0]).toMatchObject({ _entityName: 'sales_ProductTag', name: expect.any(String) });
  });

  // Asserts contract/decisions.md#5, contract/fetch-plans.md#fetch-plans, contract/fetch-plans.md#parameter.
  test.each([
    ['an unknown property', { entity: 'sales_Order', properties: ['nothing'] }, 'nothing'],
    ['an unknown entity', { entity: 'no_Such', properties: ['number'] }, 'no_Such'],
    ['no properties', { entity: 'sales_Order' }, 'properties'],
    [
      'a nested plan on a local attribute',
      { entity: 'sales_Order', properties: [{ name: 'number', fetchPlan: { properties: [] } }] },
      'number',
    ],
  ])('an inline plan with %s: 400 (contract/decisions.md#5)', async (_case, plan, named) => {
    const response = await as('admin', 'GET', `${orders}${query({ fetchPlan: plan, limit: 1 })}`);
    expect([response.status, response.json().error]).toEqual([400, 'Invalid FetchPlan definition']);
    expect(response.json().details).toContain(named);
  });

  // Asserts contract/decisions.md#5, contract/fetch-plans.md#fetch-plans, contract/fetch-plans.md#parameter.
  test('an inline plan that is no JSON: 400', async () => {
    const response = await as('admin', 'GET', `${orders}?fetchPlan=${encodeURIComponent('{nope}')}`);
    expect([response.status, response.json().error]).toEqual([400, 'Invalid FetchPlan definition']);
  });

  // Asserts contract/instances.md#values.
  test('an element collection and an M:N reference are arrays', async () => {
    const plan = { entity: 'sales_Customer', properties: ['name', 'tags'] };
    const customer = (
      await as('admin', 'GET', `/entities/sales_Customer/${demo.customer(4)}${query({ fetchPlan: plan })}`)
    ).json();
    expect(customer.tags).toEqual(['key account', 'newsletter']);
  });
});

describe('read access (contract/roles.md#roles, #attributes-read)', () => {
  // Asserts contract/errors.md#catalogue, contract/reading.md#errors.
  test('an entity without the read policy: 403', async () => {
    const response = await as('clerk', 'GET', '/entities/sales_Warehouse');
    expect([response.status, response.json()]).toEqual([
      403,
      { error: 'Reading forbidden', details: 'Reading of the sales_Warehouse is forbidden' },
    ]);
  });

  // Asserts contract/instances.md#object, contract/roles.md#attributes-read.
  test('attributes the caller may not view are left out, with returnNulls too', async () => {
    for (const path of ['', '?returnNulls=true']) {
      const response = await as('clerk', 'GET', `/entities/sales_Customer/${demo.customer(5)}${path}`);
      expect(response.status).toBe(200);
      expect(response.text).not.toContain('creditLimit');
    }
    expect((await as('manager', 'GET', `/entities/sales_Customer/${demo.customer(5)}`)).json()).toHaveProperty(
      'creditLimit',
    );
  });

  // Asserts contract/decisions.md#1, contract/errors.md#catalogue, contract/reading.md#count,
  // contract/reading.md#errors, contract/roles.md#attributes, contract/row-policies.md#reading.
  test('rows outside the row-level role are not there: list, count and single read', async () => {
    const plan = { entity: 'sales_Customer', properties: ['address'] };
    const response = await as(
      'clerk',
      'GET',
      `/entities/sales_Customer${query({ fetchPlan: plan, returnCount: 'true' })}`,
    );
    const countries = new Set(response.json().map((row: { address: { country: string } }) => row.address.country));
    expect([...countries]).toEqual(['DE']);
    expect(response.headers.get('x-total-count')).toBe(String(response.json().length));
    const hidden = await as('clerk', 'GET', `/entities/sales_Customer/${demo.customer(2)}`);
    expect([hidden.status, hidden.text]).toEqual([404, '']);
  });

  // Asserts contract/errors.md#catalogue, contract/roles.md#predefined, contract/roles.md#rest-enabled.
  test('a user without rest-minimal: 403 before anything else (contract/decisions.md#39)', async () => {
    for (const path of ['/entities/sales_Order', '/entities/no_Such', '/userInfo']) {
      const response = await as('nobody', 'GET', path);
      expect([response.status, response.json()]).toEqual([
        403,
        { error: 'Forbidden', details: 'User is not allowed to use the REST API' },
      ]);
    }
  });

  // Asserts contract/roles.md#combination, contract/roles.md#predefined.
  test('a user with rest-minimal alone may read nothing', async () => {
    expect((await as('viewer', 'GET', '/entities/sales_Order')).status).toBe(403);
  });
});

describe('wire form of failures (contract/conventions.md#general-rules)', () => {
  // Asserts contract/conventions.md#endpoints, contract/errors.md#catalogue.
  test('a wrong method: 405 with Allow', async () => {
    const response = await as('admin', 'PATCH', '/userInfo', { body: {} });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toContain('GET');
    expect(response.json()).toEqual({ error: expect.any(String), details: expect.any(String) });
  });

  // Asserts contract/conventions.md#endpoints, contract/conventions.md#general-rules.
  test('every response carries a trace id', async () => {
    expect((await as('admin', 'GET', '/userInfo')).headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
  });
});
