import { as, createOrder, demo, query, send, tokenOf } from './api.ts';

const orders = '/queries/sales_Order';
const customers = '/queries/sales_Customer';
const YEAR = { from: '2026-01-01', to: '2026-12-31' };

describe('definitions (contract/queries.md#definitions, #endpoints)', () => {
  test('the list has the queries of exactly that entity, with all members', async () => {
    const response = await as('admin', 'GET', orders);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const list = response.json();
    expect(list.map(({ name }: { name: string }) => name)).toEqual(['ordersByStatus', 'ordersByCustomers', 'myOrders']);
    expect(list[1]).toEqual({
      name: 'ordersByCustomers',
      jpql: expect.stringMatching(/^select o from sales_Order o/),
      entityName: 'sales_Order',
      viewName: 'order-list',
      fetchPlanName: 'order-list',
      limit: null,
      offset: null,
      cacheable: false,
      anonymousAllowed: false,
      params: [
        { name: 'customerIds', type: 'java.util.UUID[]' },
        { name: 'from', type: 'java.time.LocalDate' },
        { name: 'to', type: 'java.time.LocalDate' },
      ],
    });
  });

  test('an entity without queries has an empty list: the implicit one is not listed', async () => {
    expect((await as('admin', 'GET', '/queries/sales_Warehouse')).json()).toEqual([]);
  });
});

describe('the list of all queries (contract/queries.md#callable)', () => {
  test('has those that the caller may run, with the types of their parameters', async () => {
    const response = await as('admin', 'GET', '/queries');
    expect(response.status).toBe(200);
    const list: readonly { entityName: string; name: string }[] = response.json();
    expect(list.map(({ entityName, name }) => `${entityName}.${name}`)).toEqual([
      'sales_Customer.topCustomers',
      'sales_Customer.customersByProductTag',
      'sales_Order.ordersByStatus',
      'sales_Order.ordersByCustomers',
      'sales_Order.myOrders',
    ]);
    const [, , byStatus, byCustomers] = list;
    const [, described] = (await as('admin', 'GET', orders)).json();
    const uuid = { kind: 'datatype', type: 'uuid', entity: 'sales_Customer' };
    const date = { kind: 'datatype', type: 'localDate' };
    const types = [{ kind: 'list', item: uuid }, date, date];
    expect(byCustomers).toEqual({
      ...described,
      returns: 'instances',
      params: described.params.map((parameter: object, at: number) => ({ ...parameter, valueType: types[at] })),
    });
    expect(byStatus).toMatchObject({ params: [{ valueType: { kind: 'enum', type: 'sales.OrderStatus' } }] });
  });

  test('has nothing of entities that the caller may not read', async () => {
    expect((await as('viewer', 'GET', '/queries')).json()).toEqual([]);
    const list: readonly { entityName: string; name: string }[] = (await as('clerk', 'GET', '/queries')).json();
    expect(list.length).toBeGreaterThan(0);
    for (const { entityName, name } of list)
      expect([name, (await as('clerk', 'GET', `/queries/${entityName}/${name}`)).status]).not.toEqual([name, 403]);
  });
});

describe('results (contract/queries.md#endpoints)', () => {
  test('instances are shown by the plan of the definition, in the order of the text', async () => {
    const response = await as('admin', 'GET', `${orders}/ordersByStatus${query({ status: 'SHIPPED', limit: '5' })}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const rows: readonly Record<string, string>[] = response.json();
    expect(rows).toHaveLength(5);
    for (const row of rows) {
      expect(row).toMatchObject({
        _entityName: 'sales_Order',
        status: 'SHIPPED',
        customer: { name: expect.anything() },
      });
      expect(row).not.toHaveProperty('version');
    }
    const dates = rows.map(({ date }) => date);
    expect(dates).toEqual([...dates].sort().reverse());
  });

  test('GET and POST return the same, the body with arrays and primitives', async () => {
    const given = { customerIds: [demo.customer(1), demo.customer(2)], ...YEAR };
    const got = await as('admin', 'GET', `${orders}/ordersByCustomers${query(given)}`);
    const posted = await as('admin', 'POST', `${orders}/ordersByCustomers`, { body: given });
    expect(posted.status).toBe(200);
    expect(got.text).toBe(posted.text);
    expect(got.json().length).toBeGreaterThan(1);
    for (const { customer } of got.json()) expect(given.customerIds).toContain(customer.id);
  });

  test('an empty collection matches nothing', async () => {
    const response = await as('admin', 'POST', `${orders}/ordersByCustomers`, { body: { customerIds: [], ...YEAR } });
    expect(response.json()).toEqual([]);
  });

  test('a group keeps those whose sum is above the parameter, the highest first', async () => {
    const all = (await as('admin', 'GET', `${customers}/topCustomers?minTotal=0&fetchPlan=_instance_name`)).json();
    const ofFirst = await as('admin', 'POST', `${orders}/ordersByCustomers?fetchPlan=_local`, {
      body: { customerIds: [all[0].id], from: '2000-01-01', to: '2100-01-01' },
    });
    const total = ofFirst.json().reduce((sum: number, { amount }: { amount?: number }) => sum + (amount ?? 0), 0);
    const above = await as('admin', 'GET', `${customers}/topCustomers?minTotal=${(total - 0.01).toFixed(2)}`);
    expect(above.json().map(({ id }: { id: string }) => id)).toEqual([all[0].id]);
    const none = await as('admin', 'GET', `${customers}/topCustomers?minTotal=${total.toFixed(2)}`);
    expect(none.json()).toEqual([]);
  });

  test('distinct instances through to-many paths come once', async () => {
    const response = await as('admin', 'GET', `${customers}/customersByProductTag${query({ tag: 'outdoor' })}`);
    expect(response.status).toBe(200);
    const ids = response.json().map(({ id }: { id: string }) => id);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(ids.length);
    const none = await as('admin', 'GET', `${customers}/customersByProductTag${query({ tag: "out' or 1=1 --" })}`);
    expect(none.json()).toEqual([]);
  });

  test('the user name of the caller is filled in', async () => {
    const id = await createOrder();
    const own = await as('admin', 'GET', `${orders}/myOrders`);
    expect(own.json().map((row: { id: string }) => row.id)).toContain(id);
    const others = await as('manager', 'GET', `${orders}/myOrders`);
    expect(others.json().map((row: { id: string }) => row.id)).not.toContain(id);
    await as('admin', 'DELETE', `/entities/sales_Order/${id}`);
  });

  test('returnNulls shows empty attributes as null', async () => {
    const plan = { entity: 'sales_Order', properties: ['number', 'confirmedAt'] };
    const path = `${orders}/ordersByStatus`;
    const shown = await as(
      'admin',
      'GET',
      `${path}${query({ status: 'NEW', limit: '1', fetchPlan: plan, returnNulls: 'true' })}`,
    );
    expect(shown.json()[0]).toHaveProperty('confirmedAt', null);
    const hidden = await as('admin', 'GET', `${path}${query({ status: 'NEW', limit: '1', fetchPlan: plan })}`);
    expect(hidden.json()[0]).not.toHaveProperty('confirmedAt');
  });

  test('a full page of the query all has no address of a next one', async () => {
    const response = await as('admin', 'GET', '/queries/sales_Customer/all?limit=2');
    expect([response.status, response.headers.get('link')]).toEqual([200, null]);
    expect(response.json()).toHaveLength(2);
  });

  test('every entity has the query all in any case, shown by its names', async () => {
    for (const name of ['all', 'ALL', 'All']) {
      const response = await as('admin', 'GET', `/queries/sales_CustomerCategory/${name}`);
      expect(response.status).toBe(200);
      expect(response.json()).toHaveLength(3);
      expect(Object.keys(response.json()[0]).sort()).toEqual(['_entityName', '_instanceName', 'code', 'id']);
    }
    expect((await as('admin', 'GET', '/queries/sales_CustomerCategory/all/count')).text).toBe('3');
    expect((await as('admin', 'POST', '/queries/sales_CustomerCategory/all', { body: {} })).json()).toHaveLength(3);
  });
});

describe('fetch plans (contract/queries.md#endpoints, contract/decisions.md#4)', () => {
  test('a named plan of the URL wins, in GET and POST', async () => {
    const got = await as('admin', 'GET', `${orders}/ordersByStatus?status=NEW&limit=1&fetchPlan=_instance_name`);
    expect(Object.keys(got.json()[0])).toEqual(['_entityName', '_instanceName', 'id', 'number']);
    const posted = await as('admin', 'POST', `${orders}/ordersByStatus?limit=1&fetchPlan=_instance_name`, {
      body: { status: 'NEW' },
    });
    expect(posted.text).toBe(got.text);
  });

  test('an older client names the plan `view`, in GET and POST; `fetchPlan` wins', async () => {
    const path = `${orders}/ordersByStatus`;
    const wanted = await as('admin', 'GET', `${path}?status=NEW&limit=1&fetchPlan=_instance_name`);
    const got = await as('admin', 'GET', `${path}?status=NEW&limit=1&view=_instance_name`);
    expect([got.status, got.text]).toEqual([200, wanted.text]);
    const posted = await as('admin', 'POST', `${path}?limit=1&view=_instance_name`, { body: { status: 'NEW' } });
    expect([posted.status, posted.text]).toEqual([200, wanted.text]);
    const both = await as('admin', 'GET', `${path}?status=NEW&limit=1&view=nope&fetchPlan=_instance_name`);
    expect([both.status, both.text]).toEqual([200, wanted.text]);
  });

  test('an inline plan is accepted', async () => {
    const fetchPlan = {
      entity: 'sales_Order',
      properties: ['number', { name: 'customer', fetchPlan: { properties: ['grade'] } }],
    };
    const response = await as(
      'admin',
      'GET',
      `${orders}/ordersByStatus${query({ status: 'NEW', limit: '1', fetchPlan, returnNulls: 'true' })}`,
    );
    expect(Object.keys(response.json()[0])).toEqual(['_entityName', '_instanceName', 'id', 'number', 'customer']);
    expect(response.json()[0].customer).toHaveProperty('grade');
  });

  test('an unknown plan is 400', async () => {
    const response = await as('admin', 'GET', `${orders}/ordersByStatus?status=NEW&fetchPlan=nope`);
    expect(response.status).toBe(400);
    expect(response.json()).toEqual({
      error: 'Fetch plan not found',
      details: 'Fetch plan nope for entity sales_Order not found',
    });
  });
});

describe('limit, offset and count (contract/queries.md#paging)', () => {
  test('pages do not overlap and the count knows nothing of them', async () => {
    const path = `${orders}/ordersByStatus?status=CLOSED&fetchPlan=_instance_name`;
    const all = await as('admin', 'GET', `${path}&returnCount=true`);
    const ids = all.json().map(({ id }: { id: string }) => id);
    expect(all.headers.get('x-total-count')).toBe(String(ids.length));
    const page = await as('admin', 'GET', `${path}&limit=5&offset=3&returnCount=true`);
    expect(page.json().map(({ id }: { id: string }) => id)).toEqual(ids.slice(3, 8));
    expect(page.headers.get('x-total-count')).toBe(String(ids.length));
    expect((await as('admin', 'GET', `${orders}/ordersByStatus/count?status=CLOSED`)).text).toBe(String(ids.length));
    expect((await as('admin', 'GET', `${path}&limit=1`)).headers.get('x-total-count')).toBeNull();
  });

  test('limit=0 is an empty page with the right count', async () => {
    const response = await as('admin', 'GET', `${orders}/ordersByStatus?status=CLOSED&limit=0&returnCount=true`);
    expect(response.json()).toEqual([]);
    expect(Number(response.headers.get('x-total-count'))).toBeGreaterThan(1);
  });

  test('a limit above the maximum is refused', async () => {
    const response = await as('admin', 'GET', `${orders}/ordersByStatus?status=NEW&limit=10001`);
    expect(response.status).toBe(400);
    expect(response.json()).toEqual({
      error: 'The value of limit exceeded',
      details: 'The value of the limit exceeds the maximum possible value from application.properties',
    });
  });

  test.each(['limit=-1', 'limit=x', 'offset=-1', 'returnCount=maybe', 'returnNulls=2'])(
    '%s is 400 naming the parameter',
    async (control) => {
      const response = await as('admin', 'GET', `${orders}/ordersByStatus?status=NEW&${control}`);
      expect(response.status).toBe(400);
      expect(response.json().details).toContain(control.split('=')[0]);
    },
  );

  test('a count is JSON, or text where that is asked for', async () => {
    const path = `${orders}/ordersByStatus/count`;
    const json = await as('admin', 'POST', path, { body: { status: 'NEW' } });
    expect(json.status).toBe(200);
    expect(json.headers.get('content-type')).toBe('application/json');
    expect(json.text).toMatch(/^\d+$/);
    const text = await as('admin', 'POST', path, { body: { status: 'NEW' }, headers: { accept: 'text/plain' } });
    expect(text.headers.get('content-type')).toBe('text/plain;charset=UTF-8');
    expect(text.text).toBe(json.text);
    const refused = await as('admin', 'GET', `${path}?status=NEW`, { headers: { accept: 'image/png' } });
    expect(refused.status).toBe(406);
  });
});

describe('parameters (contract/queries.md#parameters)', () => {
  test.each([
    ['missing in the URL', () => as('admin', 'GET', `${orders}/ordersByStatus`)],
    ['missing in the body', () => as('admin', 'POST', `${orders}/ordersByStatus`, { body: {} })],
    ['null in the body', () => as('admin', 'POST', `${orders}/ordersByStatus`, { body: { status: null } })],
    ['missing in a count', () => as('admin', 'GET', `${orders}/ordersByStatus/count`)],
  ])('a parameter %s is 400', async (_, call) => {
    const response = await call();
    expect(response.status).toBe(400);
    expect(response.json()).toEqual({
      error: 'Query parameter not found',
      details: 'Query parameter status not found',
    });
  });

  test('parameters that are not declared do not matter', async () => {
    expect((await as('admin', 'GET', `${orders}/ordersByStatus?status=NEW&limit=1&other=1`)).status).toBe(200);
    expect((await as('admin', 'POST', `${orders}/ordersByStatus`, { body: { status: 'NEW', other: {} } })).status).toBe(
      200,
    );
  });

  test.each([
    ['an unknown constant', `${orders}/ordersByStatus`, { status: 'LOST' }, 'status'],
    ['no decimal', `${customers}/topCustomers`, { minTotal: '1,5' }, 'minTotal'],
    ['no date', `${orders}/ordersByCustomers`, { customerIds: [], from: '2026-13-01', to: '2026-01-01' }, 'from'],
    ['no collection', `${orders}/ordersByCustomers`, { customerIds: demo.customer(1), ...YEAR }, 'customerIds'],
    ['no UUID in a collection', `${orders}/ordersByCustomers`, { customerIds: ['x'], ...YEAR }, 'customerIds'],
    ['null in a collection', `${orders}/ordersByCustomers`, { customerIds: [null], ...YEAR }, 'customerIds'],
    ['an object for a date', `${orders}/ordersByCustomers`, { customerIds: [], from: {}, to: '2026-01-01' }, 'from'],
  ])('%s is 400 naming the parameter', async (_, path, body, name) => {
    for (const response of [
      await as('admin', 'POST', path, { body }),
      await as('admin', 'GET', `${path}${query(body)}`),
    ]) {
      expect(response.status).toBe(400);
      expect(response.json().error).toBe('Invalid parameter value');
      expect(response.json().details).toContain(`Invalid parameter value for ${name}`);
    }
  });

  test.each([[''], ['[]'], ['{"status":'], ['"NEW"'], ['{status: "NEW"}']])(
    'the body %j is no JSON object: 400',
    async (body) => {
      const response = await as('admin', 'POST', `${orders}/ordersByStatus`, { body });
      expect(response.status).toBe(400);
      expect(response.json().error).toBe('Malformed request JSON data structure');
    },
  );

  test('a parameter that is given twice is 400', async () => {
    const response = await as('admin', 'GET', `${orders}/ordersByStatus?status=NEW&status=CLOSED`);
    expect(response.status).toBe(400);
    expect(response.json().details).toContain('status');
  });

  test('a decimal parameter is not rounded', async () => {
    const huge = await as('admin', 'GET', `${customers}/topCustomers?minTotal=99999999999999999999.999999`);
    expect(huge.json()).toEqual([]);
    expect((await as('admin', 'POST', `${customers}/topCustomers?limit=1`, { body: { minTotal: 1.5 } })).status).toBe(
      200,
    );
  });
});

describe('errors and access (contract/queries.md#errors)', () => {
  test.each(['', '/all', '/all/count', '/some'])('an unknown entity is 404 at /queries/no_Such%s', async (rest) => {
    const response = await as('admin', 'GET', `/queries/no_Such${rest}`);
    expect(response.status).toBe(404);
    expect(response.json()).toEqual({ error: 'Entity not found', details: 'Entity no_Such not found' });
  });

  test.each(['GET', 'POST'])('an unknown query is 404 for %s', async (method) => {
    for (const end of ['', '/count']) {
      const response = await as('admin', method, `${orders}/nope${end}`, method === 'POST' ? { body: {} } : {});
      expect(response.status).toBe(404);
      expect(response.json()).toEqual({
        error: 'Query not found',
        details: 'Query with name nope for entity sales_Order not found',
      });
    }
  });

  test.each(['', '/all', '/ordersByStatus?status=NEW', '/ordersByStatus/count?status=NEW', '/nope', '/nope/count'])(
    'a caller who may not read the entity gets 403 at %j',
    async (rest) => {
      const response = await as('viewer', 'GET', `${orders}${rest}`);
      expect(response.status).toBe(403);
      expect(response.json()).toEqual({
        error: 'Reading forbidden',
        details: 'Reading of the sales_Order is forbidden',
      });
    },
  );

  test('a caller without the right to use the API gets 403, one without a token 401', async () => {
    expect((await as('nobody', 'GET', orders)).status).toBe(403);
    for (const path of ['', '/ordersByStatus?status=NEW', '/all/count'])
      expect((await send('GET', `/rest${orders}${path}`)).status).toBe(401);
    const token = await tokenOf('admin');
    expect((await send('GET', `/rest${orders}/ordersByStatus?status=NEW&access_token=${token}`)).status).toBe(200);
  });

  test('other methods are 405', async () => {
    expect((await as('admin', 'PUT', `${orders}/ordersByStatus`, { body: {} })).status).toBe(405);
    expect((await as('admin', 'DELETE', `${orders}/ordersByStatus/count`)).status).toBe(405);
    expect((await as('admin', 'POST', orders, { body: {} })).status).toBe(405);
  });

  test('row-level policies choose the rows of every variable, and of the count', async () => {
    const path = `${customers}/topCustomers`;
    const seen = await as('clerk', 'GET', `${path}?minTotal=0&returnCount=true`);
    expect(seen.status).toBe(200);
    const rows: readonly { id: string; address: { country: string } }[] = seen.json();
    expect(rows.length).toBeGreaterThan(1);
    for (const { address } of rows) expect(address.country).toBe('DE');
    expect(seen.headers.get('x-total-count')).toBe(String(rows.length));
    const all = (await as('admin', 'GET', `${path}?minTotal=0`)).json();
    // Customers with equal sums come in any order.
    const german = all.filter((row: { address: { country: string } }) => row.address.country === 'DE');
    expect(rows.map(({ id }) => id).sort()).toEqual(german.map((row: { id: string }) => row.id).sort());
  });

  test('attributes that the caller may not view are left out of the rows', async () => {
    const response = await as('clerk', 'GET', `${customers}/topCustomers?minTotal=0&limit=1`);
    expect(response.json()[0]).not.toHaveProperty('creditLimit');
    expect((await as('admin', 'GET', `${customers}/topCustomers?minTotal=0&limit=1`)).json()[0]).toHaveProperty(
      'creditLimit',
    );
  });

  test('a query over an entity with a predicate that hides rows is 403 for its caller', async () => {
    const response = await as('auditor', 'GET', `${customers}/customersByProductTag${query({ tag: 'outdoor' })}`);
    expect(response.status).toBe(403);
    expect(response.json().error).toBe('Reading forbidden');
  });

  test('a deleted order is in no query', async () => {
    const id = await createOrder();
    const ids = async (): Promise<readonly string[]> =>
      (await as('admin', 'GET', `${orders}/myOrders?fetchPlan=_instance_name`))
        .json()
        .map((row: { id: string }) => row.id);
    expect(await ids()).toContain(id);
    await as('admin', 'DELETE', `/entities/sales_Order/${id}`);
    expect(await ids()).not.toContain(id);
  });
});
