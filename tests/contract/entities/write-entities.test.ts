import { as, baseUrl, createOrder, demo, query, unique } from '../api.ts';

const orders = '/entities/sales_Order';
const read = (id: string, user = 'admin') =>
  as(user, 'GET', `${orders}/${id}?returnNulls=true`).then((response) => response.json());

describe('create (contract/writing.md#writing, #create)', () => {
  // Asserts contract/fetch-plans.md#fetch-plans, contract/writing.md#response, contract/writing.md#routes.
  test('responds with 201 with Location and the three system members', async () => {
    const number = unique('C');
    const response = await as('admin', 'POST', orders, {
      body: { number, date: '2026-03-04', customer: { id: demo.customer(1) } },
    });
    expect(response.status).toBe(201);
    const body = response.json();
    expect(body).toEqual({ _entityName: 'sales_Order', _instanceName: number, id: expect.any(String) });
    expect(response.headers.get('location')).toBe(`${baseUrl}/rest${orders}/${body.id}`);
    const stored = await read(body.id);
    expect(stored).toMatchObject({ number, status: 'NEW', version: 1, createdBy: 'admin', lastModifiedBy: null });
    expect(stored.createdDate).toBe(stored.lastModifiedDate);
  });

  // Asserts contract/fetch-plans.md#fetch-plans, contract/writing.md#routes.
  test('responseFetchPlan and its alias responseView choose the members of the response', async () => {
    for (const parameter of ['responseFetchPlan', 'responseView']) {
      const response = await as('admin', 'POST', `${orders}${query({ [parameter]: 'order-list' })}`, {
        body: { number: unique('P'), date: '2026-03-04', customer: { id: demo.customer(1) } },
      });
      expect(response.json()).toMatchObject({
        status: 'NEW',
        customer: { id: demo.customer(1), name: expect.any(String) },
      });
    }
  });

  // Asserts contract/writing.md#routes.
  test('any content type is taken', async () => {
    const body = JSON.stringify({ number: unique('T'), date: '2026-03-04', customer: { id: demo.customer(1) } });
    expect((await as('admin', 'POST', orders, { body, headers: { 'content-type': 'text/plain' } })).status).toBe(201);
  });

  test('values of every type come back as they were sent', async () => {
    const values = {
      amount: '12345678901234567.89',
      discount: 0.125,
      notes: 'Grüße – 上海 \u{1F69A} "quoted" \\ <b>',
      placedAt: '2026-03-04T10:20:30.123+02:00',
      confirmedAt: '2026-03-04T10:20:30.123',
      deliverFrom: '07:45:00',
      externalId: '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11',
      attachment: 'fs://2026/03/04/6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11.pdf?name=a.pdf',
    };
    const id = await createOrder(values);
    const response = await as('admin', 'GET', `${orders}/${id}`);
    const { placedAt, amount: _amount, discount: _discount, ...same } = values;
    expect(response.json()).toMatchObject(same);
    expect(new Date(response.json().placedAt).toISOString()).toBe(new Date(placedAt).toISOString());
    expect(response.text).toMatch(/"discount":\s*0\.1250\b/);
  });

  test('an id may be given; a taken one returns 409 and changes nothing (contract/decisions.md#16)', async () => {
    const id = crypto.randomUUID();
    const number = unique('I');
    const body = { id, number, date: '2026-03-04', customer: { id: demo.customer(1) } };
    expect((await as('admin', 'POST', orders, { body })).json().id).toBe(id);
    const again = await as('admin', 'POST', orders, { body: { ...body, number: unique('J') } });
    expect([again.status, again.json().error]).toEqual([409, 'Entity already exists']);
    expect((await read(id)).number).toBe(number);
  });

  test('"id": null counts as absent (contract/decisions.md#51)', async () => {
    const response = await as('admin', 'POST', orders, {
      body: { id: null, number: unique('N'), date: '2026-03-04', customer: { id: demo.customer(1) } },
    });
    expect(response.status).toBe(201);
  });

  test('keys of other kinds: text, identity, composite', async () => {
    const code = unique('W').slice(-8);
    const warehouse = await as('admin', 'POST', '/entities/sales_Warehouse', { body: { code, name: 'Test' } });
    expect([warehouse.status, warehouse.json().id]).toEqual([201, code]);
    const movement = await as('admin', 'POST', '/entities/sales_StockMovement', {
      body: { warehouse: { id: code }, product: { id: demo.product(1) }, quantity: 3, movedAt: '2026-01-01T00:00' },
    });
    expect([movement.status, typeof movement.json().id]).toEqual([201, 'number']);
    const day = `19${10 + (Date.now() % 89)}-0${1 + (process.pid % 9)}-11`;
    const rate = await as('admin', 'POST', '/entities/sales_ExchangeRate', {
      body: { id: { currency: 'XTS', validOn: day }, rate: '1.5' },
    });
    expect([rate.status, rate.json().id]).toEqual([201, { currency: 'XTS', validOn: day }]);
    const location = rate.headers.get('location') ?? '';
    const key = location.slice(location.lastIndexOf('/') + 1);
    expect((await as('admin', 'GET', `/entities/sales_ExchangeRate/${key}`)).text).toMatch(/"rate":\s*1\.500000\b/);
    for (const path of [
      `sales_StockMovement/${movement.json().id}`,
      `sales_Warehouse/${code}`,
      `sales_ExchangeRate/${key}`,
    ]) {
      expect((await as('admin', 'DELETE', `/entities/${path}`)).status).toBe(204);
    }
  });

  // Asserts contract/writing.md#update.
  test('unknown members are ignored (contract/decisions.md#30)', async () => {
    const id = await createOrder({ noSuchAttribute: { a: [1] }, _instanceName: 'x' });
    expect(await read(id)).not.toHaveProperty('noSuchAttribute');
  });
});

describe('update (contract/writing.md#update)', () => {
  test('changes what was sent, leaves the rest and counts the version up once', async () => {
    const id = await createOrder({ notes: 'first', externalId: crypto.randomUUID() });
    const before = await read(id);
    const response = await as('admin', 'PUT', `${orders}/${id}`, { body: { notes: 'second' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('location')).toBeNull();
    const after = await read(id);
    expect(after).toEqual({
      ...before,
      notes: 'second',
      version: before.version + 1,
      lastModifiedBy: 'admin',
      lastModifiedDate: after.lastModifiedDate,
    });
  });

  // Asserts contract/writing.md#update.
  test('an update that changes nothing leaves the version alone', async () => {
    const id = await createOrder({ notes: 'same' });
    const before = await read(id);
    for (const body of [{}, { notes: 'same' }, { version: 99 }]) {
      expect((await as('admin', 'PUT', `${orders}/${id}`, { body })).status).toBe(200);
    }
    expect(await read(id)).toEqual(before);
  });

  // Asserts contract/writing.md#update.
  test('null clears a reference; another id replaces it', async () => {
    const id = await createOrder({ manager: { id: demo.user(2) } });
    const plan = query({ fetchPlan: { entity: 'sales_Order', properties: ['manager', 'customer'] } });
    await as('admin', 'PUT', `${orders}/${id}`, { body: { manager: null, customer: { id: demo.customer(2) } } });
    const order = (await as('admin', 'GET', `${orders}/${id}${plan}`)).json();
    expect(order.manager).toBeUndefined();
    expect(order.customer.id).toBe(demo.customer(2));
  });

  test('an embedded attribute is changed in part', async () => {
    const customer = (
      await as('admin', 'POST', '/entities/sales_Customer', {
        body: { name: unique('E'), address: { city: 'Ulm', country: 'DE' } },
      })
    ).json();
    await as('admin', 'PUT', `/entities/sales_Customer/${customer.id}`, { body: { address: { city: 'Bonn' } } });
    const stored = (await as('admin', 'GET', `/entities/sales_Customer/${customer.id}`)).json();
    expect(stored.address).toEqual({ city: 'Bonn', country: 'DE' });
  });

  // Asserts contract/writing.md#rights.
  test('attributes the caller may not change are dropped without an error (contract/roles.md#attributes-write)', async () => {
    const order = demo.order(1);
    const visible = (await as('clerk', 'GET', `${orders}?limit=1&fetchPlan=_local`)).json()[0];
    const response = await as('clerk', 'PUT', `${orders}/${visible.id}`, {
      body: { notes: `by clerk ${unique('n')}`, number: 'HACKED', amount: 1 },
    });
    expect(response.status).toBe(200);
    const stored = await read(visible.id);
    expect(stored).toMatchObject({ number: visible.number, lastModifiedBy: 'clerk' });
    expect(stored.notes).toMatch(/^by clerk/);
    expect(order).toBeDefined();
  });

  test.each([
    ['a missing row', `${orders}/${demo.order(99_998)}`, 404],
    ['a bad id', `${orders}/xyz`, 400],
    ['an unknown entity', '/entities/no_Such/1', 404],
  ])('%s', async (_case, path, status) => {
    expect((await as('admin', 'PUT', path, { body: { notes: 'x' } })).status).toBe(status);
  });
});

describe('delete (contract/writing.md#delete)', () => {
  test('a soft-deleted instance is gone for every read, and its unique number is free again', async () => {
    const number = unique('D');
    const id = await createOrder({ number });
    const response = await as('admin', 'DELETE', `${orders}/${id}`);
    expect([response.status, response.text]).toEqual([204, '']);
    expect((await as('admin', 'GET', `${orders}/${id}`)).status).toBe(404);
    expect((await as('admin', 'DELETE', `${orders}/${id}`)).status).toBe(404);
    expect((await as('admin', 'PUT', `${orders}/${id}`, { body: { notes: 'x' } })).status).toBe(404);
    const list = await as('admin', 'POST', `${orders}/search`, {
      body: { filter: { conditions: [{ property: 'number', operator: '=', value: number }] } },
    });
    expect(list.json()).toEqual([]);
    await createOrder({ number });
  });

  test('a customer with orders is not deleted: 409 with the text of the contract', async () => {
    const customer = (await as('admin', 'POST', '/entities/sales_Customer', { body: { name: unique('D') } })).json();
    await createOrder({ customer: { id: customer.id } });
    const response = await as('admin', 'DELETE', `/entities/sales_Customer/${customer.id}`);
    expect([response.status, response.json()]).toEqual([
      409,
      {
        error: 'Delete policy violation',
        details: 'Unable to delete sales_Customer because there are references from sales_Order',
      },
    ]);
    expect((await as('admin', 'GET', `/entities/sales_Customer/${customer.id}`)).status).toBe(200);
  });
});

describe('refused writes change nothing (contract/writing.md#rights, #body-errors, #validation; contract/decisions.md#8, #17, #49)', () => {
  const valid = (): Record<string, unknown> => ({
    number: unique('R'),
    date: '2026-03-04',
    customer: { id: demo.customer(1) },
  });

  const item = (path: string, message: string | RegExp, invalidValue: unknown) => ({
    message: typeof message === 'string' ? message : expect.stringMatching(message),
    messageTemplate: expect.any(String),
    path,
    invalidValue,
  });

  // Asserts contract/writing.md#validation.
  test.each<[string, string, Record<string, unknown>, unknown[]]>([
    [
      'a mandatory attribute that is missing',
      'sales_Customer',
      { phone: '1' },
      [item('name', 'may not be null', null)],
    ],
    [
      'an e-mail that is none',
      'sales_Customer',
      { name: 'x', email: 'nobody' },
      [item('email', 'not a well-formed email address', 'nobody')],
    ],
    [
      'a date that is not past',
      'sales_Customer',
      { name: 'x', birthDate: '2999-01-01' },
      [item('birthDate', 'must be in the past', '2999-01-01')],
    ],
    [
      'a value below the bound',
      'sales_Customer',
      { name: 'x', creditLimit: -0.01 },
      [item('creditLimit', 'must be greater than or equal to 0', -0.01)],
    ],
    [
      'a text that is too long',
      'sales_Customer',
      { name: 'x', phone: '1'.repeat(31) },
      [item('phone', 'size must be between 0 and 30', '1'.repeat(31))],
    ],
    [
      'a key that is too short',
      'sales_Warehouse',
      { code: 'X', name: 'x' },
      [item('code', 'size must be between 2 and 10', 'X')],
    ],
  ])('%s: 400 with the array of contract/writing.md#validation', async (_case, entity, body, items) => {
    const response = await as('admin', 'POST', `/entities/${entity}`, { body });
    expect([response.status, response.json()]).toEqual([400, items]);
  });

  test('a class-level rule has the empty path', async () => {
    const response = await as('admin', 'POST', orders, { body: { ...valid(), status: 'CLOSED' } });
    expect([response.status, response.json()]).toEqual([400, [item('', 'Closed order must have lines', null)]]);
  });

  // Asserts contract/writing.md#audit, contract/writing.md#validation, contract/writing.md#versions.
  test('an update is validated as a whole and rolled back as a whole', async () => {
    const id = await createOrder({ notes: 'kept' });
    const before = await read(id);
    const response = await as('admin', 'PUT', `${orders}/${id}`, { body: { notes: 'lost', number: null } });
    expect([response.status, response.json()]).toEqual([400, [item('number', 'may not be null', null)]]);
    expect(await read(id)).toEqual(before);
  });

  test.each<[string, Record<string, unknown>, string]>([
    [
      'an unknown enum constant',
      { status: 'OPEN' },
      'An error occurred while parsing enum. Class [class sales.OrderStatus]. Value [OPEN].',
    ],
    [
      'a reference that is no object',
      { customer: 'x' },
      "Attribute 'customer' refers to an entity. Property value must be a JSON object literal",
    ],
    [
      'a collection that is no array',
      { lines: {} },
      "Attribute 'lines' refers to a collection. Property value must be a JSON array literal",
    ],
  ])('%s: 400 with the error text of the contract', async (_case, values, error) => {
    const response = await as('admin', 'POST', orders, { body: { ...valid(), ...values } });
    expect(response.status).toBe(400);
    expect(response.json().error).toBe(error);
  });

  // Asserts contract/decisions.md#49, contract/decisions.md#8, contract/writing.md#body-errors.
  test.each<[string, Record<string, unknown>, string]>([
    ['a number for a text', { notes: 5 }, 'notes'],
    ['a text for a number', { amount: 'much' }, 'amount'],
    ['a malformed date', { date: '31.12.2026' }, 'date'],
    ['a malformed time', { deliverFrom: '25:99' }, 'deliverFrom'],
    ['a malformed uuid', { externalId: 'x' }, 'externalId'],
    ['an object for a text', { notes: {} }, 'notes'],
    ['a text with a NUL character', { notes: 'a\u0000b' }, 'notes'],
  ])('%s: 400 naming the attribute', async (_case, values, named) => {
    const body = { ...valid(), ...values };
    const response = await as('admin', 'POST', orders, { body });
    expect(response.status).toBe(400);
    expect(response.text).toContain(named);
    const stored = await as('admin', 'POST', `${orders}/search/count`, {
      body: { filter: { conditions: [{ property: 'number', operator: '=', value: body['number'] }] } },
    });
    expect(stored.text).toBe('0');
  });

  test('a referenced instance that does not exist: 400', async () => {
    const response = await as('admin', 'POST', orders, { body: { ...valid(), customer: { id: demo.customer(9999) } } });
    expect([response.status, response.json()]).toEqual([
      400,
      { error: 'Entity creation failed', details: "Referenced entity for property 'customer' is missing" },
    ]);
  });

  // Asserts contract/writing.md#database-errors, contract/writing.md#file-attributes.
  test('a unique attribute that is taken: 409 naming it (contract/decisions.md#17)', async () => {
    const response = await as('admin', 'POST', orders, { body: { ...valid(), number: 'A-00001' } });
    expect([response.status, response.json().error]).toEqual([409, 'Unique constraint violation']);
    expect(response.json().details).toMatch(/sales_Order.*number/);
  });

  // Asserts contract/errors.md#catalogue.
  test.each(['', '{', 'nonsense', '{number: 1}', "{'number': 'x'}", '[1,]', '5', 'null', '\ufeff\u0000'])(
    'a body of %j: 400',
    async (body) => {
      const response = await as('admin', 'POST', orders, { body });
      expect(response.status).toBe(400);
      expect(Object.keys(response.json()).sort()).toEqual(['details', 'error']);
    },
  );

  // Asserts contract/errors.md#catalogue, contract/writing.md#rights.
  test.each([
    ['POST', '/entities/sales_Order', 'Creation forbidden', 'Creation of the sales_Order is forbidden'],
    [
      'DELETE',
      `/entities/sales_Order/${demo.order(1)}`,
      'Deletion forbidden',
      'Deletion of the sales_Order is forbidden',
    ],
    [
      'PUT',
      `/entities/sales_Product/${demo.product(1)}`,
      'Updating forbidden',
      'Updating of the sales_Product is forbidden',
    ],
  ])('%s %s without the policy: 403', async (method, path, error, details) => {
    const response = await as('clerk', method, path, method === 'DELETE' ? {} : { body: {} });
    expect([response.status, response.json()]).toEqual([403, { error, details }]);
  });

  // Asserts contract/errors.md#catalogue.
  test('an unknown responseFetchPlan is refused before anything is written', async () => {
    const body = valid();
    const response = await as('admin', 'POST', `${orders}?responseFetchPlan=no-such`, { body });
    expect([response.status, response.json().error]).toEqual([400, 'Fetch plan not found']);
    const stored = await as('admin', 'POST', `${orders}/search/count`, {
      body: { filter: { conditions: [{ property: 'number', operator: '=', value: body['number'] }] } },
    });
    expect(stored.text).toBe('0');
  });
});
