import { as, createOrder, demo, query, type Response } from '../api.ts';

const orders = '/queries/sales_Order';
const customers = '/queries/sales_Customer';
const YEAR = { from: '2026-01-01', to: '2026-12-31' };

describe('definitions (contract/queries.md#definitions, #endpoints)', () => {
  // Asserts contract/queries.md#endpoints.
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

  // Asserts contract/queries.md#endpoints.
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

  // Asserts contract/queries.md#callable.
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

  // Asserts contract/queries.md#endpoints.
  test('GET and POST return the same, the body with arrays and primitives', async () => {
    const given = { customerIds: [demo.customer(1), demo.customer(2)], ...YEAR };
    const got = await as('admin', 'GET', `${orders}/ordersByCustomers${query(given)}`);
    const posted = await as('admin', 'POST', `${orders}/ordersByCustomers`, { body: given });
    expect(posted.status).toBe(200);
    expect(got.text).toBe(posted.text);
    expect(got.json().length).toBeGreaterThan(1);
    for (const { customer } of got.json()) expect(given.customerIds).toContain(customer.id);
  });

  // Asserts contract/queries.md#parameters.
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

  // Asserts contract/queries.md#parameters.
  test('the user name of the caller is filled in', async () => {
    const id = await createOrder();
    const own = await as('admin', 'GET', `${orders}/myOrders`);
    expect(own.json().map((row: { id: string }) => row.id)).toContain(id);
    const others = await as('manager', 'GET', `${orders}/myOrders`);
    expect(others.json().map((row: { id: string }) => row.id)).not.toContain(id);
    await as('admin', 'DELETE', `/entities/sales_Order/${id}`);
  });

  // Asserts contract/queries.md#endpoints.
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

  // Asserts contract/queries.md#endpoints.
  test('every entity has the query all in any case, shown by its names', async () => {
    const demoCodes = ['ONLINE', 'RETAIL', 'WHOLESALE'];
    // Other tests create categories, too.
    const codesOf = (response: Response): string[] =>
      (response.json() as { code: string }[])
        .map(({ code }) => code)
        .filter((code) => demoCodes.includes(code))
        .sort();
    for (const name of ['all', 'ALL', 'All']) {
      const response = await as('admin', 'GET', `/queries/sales_CustomerCategory/${name}`);
      expect(response.status).toBe(200);
      expect(codesOf(response)).toEqual(demoCodes);
      expect(Object.keys(response.json()[0]).sort()).toEqual(['_entityName', '_instanceName', 'code', 'id']);
    }
    const count = Number((await as('admin', 'GET', '/queries/sales_CustomerCategory/all/count')).text);
    expect(count).toBeGreaterThanOrEqual(demoCodes.length);
    expect(codesOf(await as('admin', 'POST', '/queries/sales_CustomerCategory/all', { body: {} }))).toEqual(demoCodes);
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

  // Asserts contract/decisions.md#34, contract/decisions.md#75.
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

  // Asserts contract/decisions.md#4, contract/queries.md#endpoints.
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

  // Asserts contract/queries.md#endpoints.
  test('an unknown plan returns 400', async () => {
    const response = await as('admin', 'GET', `${orders}/ordersByStatus?status=NEW&fetchPlan=nope`);
    expect(response.status).toBe(400);
    expect(response.json()).toEqual({
      error: 'Fetch plan not found',
      details: 'Fetch plan nope for entity sales_Order not found',
    });
  });
});
