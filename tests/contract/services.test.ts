import { as, createOrder, demo, query, send, tokenOf, unique } from './api.ts';

const SERVICES = '/services/sales_OrderService';
const SUM = '/services/sales_ReportingService/sum';

describe('services', () => {
  // Asserts contract/errors.md#28, contract/services.md#listing.
  test('both services of the application are listed, each by its name too', async () => {
    const all = (await as('manager', 'GET', '/services')).json();
    expect(all.map(({ name }: { name: string }) => name).sort()).toEqual([
      'sales_OrderService',
      'sales_ReminderService',
      'sales_ReportingService',
    ]);
    const one = (await as('manager', 'GET', '/services/sales_ReportingService')).json();
    expect(all).toContainEqual(one);
    const unknown = await as('manager', 'GET', '/services/sales_None');
    expect([unknown.status, unknown.json()]).toEqual([
      404,
      { error: 'Service not found', details: 'Service sales_None not found' },
    ]);
  });

  // Asserts contract/services.md#value-types.
  test('with types=true, parameters and results have types for forms', async () => {
    const list: readonly { name: string; methods: readonly object[] }[] = (
      await as('manager', 'GET', '/services?types=true')
    ).json();
    const { methods = [] } = list.find(({ name }) => name === 'sales_OrderService') ?? {};
    const decimal = { kind: 'datatype', type: 'decimal' };
    expect(methods).toContainEqual({
      name: 'quote',
      httpMethod: 'POST',
      params: [
        {
          name: 'product',
          type: 'sales_Product',
          required: true,
          valueType: { kind: 'entity', type: 'sales_Product' },
        },
        { name: 'quantity', type: 'java.math.BigDecimal', required: true, valueType: decimal },
      ],
      returns: { kind: 'entity', type: 'sales_PriceQuote' },
      confirm: false,
      rehearsable: false,
      longRunning: false,
    });
    expect(methods).toContainEqual({
      name: 'close',
      httpMethod: 'POST',
      params: [
        { name: 'order', type: 'sales_Order', required: true, valueType: { kind: 'entity', type: 'sales_Order' } },
      ],
      returns: { kind: 'entity', type: 'sales_Order' },
      confirm: true,
      rehearsable: true,
      longRunning: false,
    });
    const wrong = await as('manager', 'GET', '/services/sales_OrderService?types=yes');
    expect([wrong.status, wrong.json()]).toEqual([
      400,
      { error: 'Invalid parameter value', details: 'types must be true or false' },
    ]);
  });

  // Asserts contract/services.md#result.
  test('a method without a result responds with 204, by GET and by POST', async () => {
    for (const method of ['GET', 'POST']) {
      const response = await as('manager', method, `${SERVICES}/ping`);
      expect([response.status, response.text]).toEqual([204, '']);
    }
  });

  // Asserts contract/services.md#resolution.
  test('overloads are distinguished by the parameters that are supplied', async () => {
    const two = await as('manager', 'GET', `${SUM}${query({ a: 2, b: 3 })}`);
    expect([two.status, two.headers.get('content-type'), two.text]).toEqual([200, 'text/plain;charset=UTF-8', '5']);
    expect((await as('manager', 'POST', SUM, { body: { c: '4', b: 3, a: 2 } })).text).toBe('9');
    const one = await as('manager', 'GET', `${SUM}?a=2`);
    expect([one.status, one.json()]).toEqual([
      404,
      { error: 'Service method not found', details: 'sales_ReportingService.sum(a)' },
    ]);
    const wrong = await as('manager', 'GET', `${SUM}?a=2&b=x`);
    expect([wrong.status, wrong.json()]).toEqual([
      400,
      { error: 'Invalid parameter value', details: 'Invalid parameter value for b' },
    ]);
  });

  // Asserts contract/decisions.md#26, contract/decisions.md#57, contract/services.md#result.
  test('a decimal keeps its scale', async () => {
    const order = await createOrder({ lines: [{ product: { id: demo.product(1) }, quantity: 2, price: '10.25' }] });
    const response = await as('manager', 'GET', `${SERVICES}/calculateTotal${query({ orderId: order })}`);
    expect([response.status, response.text]).toEqual([200, '20.50']);
  });

  test('an entity parameter needs no more than its id, and an instance that is not stored is returned', async () => {
    const response = await as('manager', 'POST', `${SERVICES}/quote`, {
      body: { product: { id: demo.product(1) }, quantity: '1.500' },
    });
    expect(response.status).toBe(200);
    expect(response.json()).toMatchObject({
      _entityName: 'sales_PriceQuote',
      product: { _entityName: 'sales_Product', id: demo.product(1) },
      quantity: 1.5,
    });
    const none = await as('manager', 'POST', `${SERVICES}/quote`, { body: { product: { id: 'x' }, quantity: 1 } });
    expect(none.json().details).toBe('Invalid parameter value for product');
    const minus = await as('manager', 'POST', `${SERVICES}/quote`, {
      body: { product: { id: demo.product(1) }, quantity: -1 },
    });
    expect([minus.status, minus.json()[0].path]).toEqual([400, 'quote.quantity']);
  });

  // Asserts contract/decisions.md#26, contract/services.md#resolution.
  test('a method that is restricted to POST refuses GET with 405 and Allow', async () => {
    const response = await as('manager', 'GET', `${SERVICES}/close`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
  });

  test('a method writes under the rights and the rules of the caller, all or nothing', async () => {
    const empty = await createOrder();
    const refused = await as('manager', 'POST', `${SERVICES}/close`, { body: { order: { id: empty } } });
    expect([refused.status, refused.json()[0].message]).toEqual([400, 'Closed order must have lines']);
    const order = await createOrder({ lines: [{ product: { id: demo.product(1) }, quantity: 1 }] });
    const closed = await as('manager', 'POST', `${SERVICES}/close`, { body: { order: { id: order } } });
    expect(closed.json()).toMatchObject({ _entityName: 'sales_Order', id: order, status: 'CLOSED' });
    const denied = await as('viewer', 'POST', `${SERVICES}/close`, { body: { order: { id: order } } });
    expect([denied.status, denied.json().error]).toEqual([403, 'Updating forbidden']);
  });

  // Asserts contract/services.md#rehearsal.
  test('a method that is declared so can be rehearsed, and others refuse it', async () => {
    const order = await createOrder({ lines: [{ product: { id: demo.product(1) }, quantity: 1 }] });
    const headers = { Prefer: 'tx=rollback' };
    const body = { order: { id: order } };
    const rehearsed = await as('manager', 'POST', `${SERVICES}/close`, { body, headers });
    expect([rehearsed.status, rehearsed.headers.get('preference-applied')]).toEqual([200, 'tx=rollback']);
    const { result, changes } = rehearsed.json();
    expect(result).toMatchObject({ id: order, status: 'CLOSED' });
    expect(changes).toContainEqual(expect.objectContaining({ entity: 'sales_Order', id: order, change: 'updated' }));
    expect((await as('manager', 'GET', `/entities/sales_Order/${order}`)).json().status).not.toBe('CLOSED');
    const other = await as('manager', 'GET', `${SERVICES}/ping`, { headers });
    expect([other.status, other.text]).toEqual([400, expect.stringContaining('cannot be rehearsed')]);
  });

  // Asserts contract/services.md#result.
  test('a collection is what the caller may see', async () => {
    const days = query({ from: '2026-01-01', to: '2026-01-31' });
    const all = (await as('manager', 'GET', `${SERVICES}/byDate${days}`)).json();
    const own = (await as('clerk', 'GET', `${SERVICES}/byDate${days}`)).json();
    expect(all.length).toBeGreaterThan(own.length);
    expect(own.length).toBeGreaterThan(0);
    expect(all[0]).toMatchObject({ _entityName: 'sales_Order', _instanceName: all[0].number });
  });

  // Asserts contract/services.md#result.
  test('an object goes in and comes out with every digit, nulls left out', async () => {
    const response = await as('manager', 'POST', '/services/sales_ReportingService/statistics', {
      body: '{"params":{"status":"NEW","rate":1.10,"gone":null}}',
    });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.text).toMatch(/^\{"params":\{"status":"NEW","rate":1\.10\},"orders":\{"NEW":\d+\}\}$/);
  });

  // Asserts contract/errors.md#catalogue, contract/services.md#exceptions.
  test('a bug returns 500 and reveals nothing', async () => {
    const response = await as('manager', 'POST', `${SERVICES}/fail`);
    expect([response.status, response.json()]).toEqual([500, { error: 'Server error', details: '' }]);
  });

  // Asserts contract/decisions.md#37, contract/services.md#resolution, contract/tokens.md#token-location.
  test('a token in the URL of a GET is refused, with and without one in the header', async () => {
    const token = await tokenOf('manager');
    const path = `/rest${SERVICES}/ping?access_token=${token}`;
    expect((await send('GET', path)).status).toBe(401);
    expect((await send('GET', path, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
    expect((await send('POST', path)).status).toBe(204);
  });

  // Asserts contract/roles.md#rest-enabled, contract/services.md#exceptions.
  test('services need a token, and the permission to use the API', async () => {
    expect((await send('GET', `/rest${SERVICES}/ping`)).status).toBe(401);
    const response = await as('nobody', 'GET', `${SERVICES}/ping`);
    expect([response.status, response.json().details]).toEqual([403, 'User is not allowed to use the REST API']);
  });
});

describe('custom controllers', () => {
  // Asserts contract/tokens.md#url-patterns.
  test('one below an anonymous pattern serves every caller; a bad token is refused even there', async () => {
    const response = await send('GET', '/rest/sales/public/ping');
    expect([response.status, response.text]).toEqual([200, 'pong']);
    const bad = await send('GET', '/rest/sales/public/ping', { headers: { authorization: `Bearer ${unique('t')}` } });
    expect(bad.status).toBe(401);
  });

  // Asserts contract/decisions.md#38, contract/tokens.md#url-patterns.
  test('every other needs a token and gets to know who calls', async () => {
    expect((await send('GET', '/rest/sales/whoami')).status).toBe(401);
    expect((await as('clerk', 'GET', '/sales/whoami')).json()).toEqual({ username: 'clerk' });
  });

  // Asserts contract/controllers.md#controllers.
  test('an unknown path beside them returns 404 with a token, 401 without, and another method 405', async () => {
    expect((await as('clerk', 'GET', '/sales/none')).status).toBe(404);
    expect((await send('GET', '/rest/sales/none')).status).toBe(401);
    const response = await as('clerk', 'POST', '/sales/whoami');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

test('what a method cannot return as it came is refused as a parameter: 400', async () => {
  const product = JSON.stringify({ id: demo.product(1) });
  const huge = await as('admin', 'GET', `/services/sales_OrderService/quote${query({ product, quantity: '1e999' })}`);
  expect([huge.status, huge.json().error]).toEqual([400, 'Invalid parameter value']);
  const params = { _entityName: 'sales_Order', date: 'zz', lines: 3 };
  const wrong = await as('admin', 'POST', '/services/sales_ReportingService/statistics', { body: { params } });
  expect([wrong.status, wrong.json().error]).toEqual([400, 'Invalid parameter value']);
});

test('half a surrogate pair is no text: 400, and nothing is stored', async () => {
  const response = await as('admin', 'POST', '/entities/sales_ProductTag', { body: '{"name":"\\ud800"}' });
  expect(response.status).toBe(400);
});
