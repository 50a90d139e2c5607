import { as, createOrder, demo, query, send, tokenOf } from '../api.ts';

const orders = '/queries/sales_Order';
const customers = '/queries/sales_Customer';
const YEAR = { from: '2026-01-01', to: '2026-12-31' };

describe('limit, offset and count (contract/queries.md#paging)', () => {
  // Asserts contract/decisions.md#12.
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

  // Asserts contract/decisions.md#9, contract/queries.md#paging.
  test('limit=0 is an empty page with the right count', async () => {
    const response = await as('admin', 'GET', `${orders}/ordersByStatus?status=CLOSED&limit=0&returnCount=true`);
    expect(response.json()).toEqual([]);
    expect(Number(response.headers.get('x-total-count'))).toBeGreaterThan(1);
  });

  // Asserts contract/queries.md#paging.
  test('a limit above the maximum is refused', async () => {
    const response = await as('admin', 'GET', `${orders}/ordersByStatus?status=NEW&limit=10001`);
    expect(response.status).toBe(400);
    expect(response.json()).toEqual({
      error: 'The value of limit exceeded',
      details: 'The value of the limit exceeds the maximum possible value from application.properties',
    });
  });

  // Asserts contract/decisions.md#8, contract/queries.md#paging, contract/queries.md#parameters.
  test.each(['limit=-1', 'limit=x', 'offset=-1', 'returnCount=maybe', 'returnNulls=2'])(
    '%s returns 400 naming the parameter',
    async (control) => {
      const response = await as('admin', 'GET', `${orders}/ordersByStatus?status=NEW&${control}`);
      expect(response.status).toBe(400);
      expect(response.json().details).toContain(control.split('=')[0]);
    },
  );

  // Asserts contract/queries.md#endpoints.
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
  // Asserts contract/errors.md#25, contract/errors.md#catalogue.
  test.each([
    ['missing in the URL', () => as('admin', 'GET', `${orders}/ordersByStatus`)],
    ['missing in the body', () => as('admin', 'POST', `${orders}/ordersByStatus`, { body: {} })],
    ['null in the body', () => as('admin', 'POST', `${orders}/ordersByStatus`, { body: { status: null } })],
    ['missing in a count', () => as('admin', 'GET', `${orders}/ordersByStatus/count`)],
  ])('a parameter %s returns 400', async (_, call) => {
    const response = await call();
    expect(response.status).toBe(400);
    expect(response.json()).toEqual({
      error: 'Query parameter not found',
      details: 'Query parameter status not found',
    });
  });

  // Asserts contract/queries.md#parameters.
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
  ])('%s returns 400 naming the parameter', async (_, path, body, name) => {
    for (const response of [
      await as('admin', 'POST', path, { body }),
      await as('admin', 'GET', `${path}${query(body)}`),
    ]) {
      expect(response.status).toBe(400);
      expect(response.json().error).toBe('Invalid parameter value');
      expect(response.json().details).toContain(`Invalid parameter value for ${name}`);
    }
  });

  // Asserts contract/queries.md#endpoints.
  test.each([[''], ['[]'], ['{"status":'], ['"NEW"'], ['{status: "NEW"}']])(
    'the body %j is no JSON object: 400',
    async (body) => {
      const response = await as('admin', 'POST', `${orders}/ordersByStatus`, { body });
      expect(response.status).toBe(400);
      expect(response.json().error).toBe('Malformed request JSON data structure');
    },
  );

  test('a parameter that is given twice returns 400', async () => {
    const response = await as('admin', 'GET', `${orders}/ordersByStatus?status=NEW&status=CLOSED`);
    expect(response.status).toBe(400);
    expect(response.json().details).toContain('status');
  });

  // Asserts contract/decisions.md#15, contract/queries.md#parameters.
  test('a decimal parameter is not rounded', async () => {
    const huge = await as('admin', 'GET', `${customers}/topCustomers?minTotal=99999999999999999999.999999`);
    expect(huge.json()).toEqual([]);
    expect((await as('admin', 'POST', `${customers}/topCustomers?limit=1`, { body: { minTotal: 1.5 } })).status).toBe(
      200,
    );
  });
});

describe('errors and access (contract/queries.md#errors)', () => {
  test.each(['', '/all', '/all/count', '/some'])(
    'an unknown entity returns 404 at /queries/no_Such%s',
    async (rest) => {
      const response = await as('admin', 'GET', `/queries/no_Such${rest}`);
      expect(response.status).toBe(404);
      expect(response.json()).toEqual({ error: 'Entity not found', details: 'Entity no_Such not found' });
    },
  );

  // Asserts contract/errors.md#24, contract/errors.md#catalogue, contract/queries.md#errors.
  test.each(['GET', 'POST'])('an unknown query returns 404 for %s', async (method) => {
    for (const end of ['', '/count']) {
      const response = await as('admin', method, `${orders}/nope${end}`, method === 'POST' ? { body: {} } : {});
      expect(response.status).toBe(404);
      expect(response.json()).toEqual({
        error: 'Query not found',
        details: 'Query with name nope for entity sales_Order not found',
      });
    }
  });

  // Asserts contract/decisions.md#69, contract/errors.md#catalogue, contract/queries.md#errors,
  // contract/roles.md#operations.
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

  // Asserts contract/queries.md#errors, contract/roles.md#rest-enabled.
  test('a caller without the right to use the API gets 403, one without a token 401', async () => {
    expect((await as('nobody', 'GET', orders)).status).toBe(403);
    for (const path of ['', '/ordersByStatus?status=NEW', '/all/count'])
      expect((await send('GET', `/rest${orders}${path}`)).status).toBe(401);
    const token = await tokenOf('admin');
    expect((await send('GET', `/rest${orders}/ordersByStatus?status=NEW&access_token=${token}`)).status).toBe(200);
  });

  // Asserts contract/errors.md#45.
  test('other methods return 405', async () => {
    expect((await as('admin', 'PUT', `${orders}/ordersByStatus`, { body: {} })).status).toBe(405);
    expect((await as('admin', 'DELETE', `${orders}/ordersByStatus/count`)).status).toBe(405);
    expect((await as('admin', 'POST', orders, { body: {} })).status).toBe(405);
  });

  // Asserts contract/row-policies.md#reading.
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
    const german = all.filter((row: { address?: { country: string } }) => row.address?.country === 'DE');
    expect(rows.map(({ id }) => id).sort()).toEqual(german.map((row: { id: string }) => row.id).sort());
  });

  // Asserts contract/roles.md#attributes-read.
  test('attributes that the caller may not view are left out of the rows', async () => {
    const response = await as('clerk', 'GET', `${customers}/topCustomers?minTotal=0&limit=1`);
    expect(response.json()[0]).not.toHaveProperty('creditLimit');
    expect((await as('admin', 'GET', `${customers}/topCustomers?minTotal=0&limit=1`)).json()[0]).toHaveProperty(
      'creditLimit',
    );
  });

  test('a query over an entity with a predicate that hides rows returns 403 for its caller', async () => {
    const response = await as('auditor', 'GET', `${customers}/customersByProductTag${query({ tag: 'outdoor' })}`);
    expect(response.status).toBe(403);
    expect(response.json().error).toBe('Reading forbidden');
  });

  // Asserts contract/decisions.md#47.
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
