import { as, baseUrl, createOrder, demo, query, tokenOf, unique } from '../api.ts';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/;

describe('ids (contract/instances.md#ids)', () => {
  test('a uuid is a text; in a path it must be one, in any case', async () => {
    const id = demo.order(1);
    const upper = await as('admin', 'GET', `/entities/sales_Order/${id.toUpperCase()}`);
    expect([upper.status, upper.json().id]).toEqual([200, id]);
    for (const wrong of ['1', '1-1-1-1-1', `${id}0`, 'null', '%20']) {
      const response = await as('admin', 'GET', `/entities/sales_Order/${wrong}`);
      expect([response.status, response.json()]).toEqual([
        400,
        { error: 'Invalid entity ID', details: `Cannot convert ${decodeURIComponent(wrong)} into valid entity ID` },
      ]);
    }
  });

  // Asserts contract/instances.md#ids, contract/instances.md#object.
  test('a whole-number key is a number in every plan (contract/decisions.md#7)', async () => {
    for (const plan of ['_local', '_base', '_instance_name']) {
      const [movement] = (await as('admin', 'GET', `/entities/sales_StockMovement?limit=1&fetchPlan=${plan}`)).json();
      expect(typeof movement.id).toBe('number');
    }
    for (const wrong of ['x', '1.5', '+1', '9223372036854775808'])
      expect((await as('admin', 'GET', `/entities/sales_StockMovement/${wrong}`)).status).toBe(400);
  });

  // Asserts contract/instances.md#ids.
  test('a text key is the path segment as it is', async () => {
    const missing = await as('admin', 'GET', `/entities/sales_Warehouse/${encodeURIComponent('a/b ü')}`);
    expect([missing.status, missing.text]).toEqual([404, '']);
  });

  // Asserts contract/decisions.md#60, contract/instances.md#ids.
  test('a composite key is base64url JSON, padded or not, and an object in responses', async () => {
    const key = { currency: 'USD', validOn: '2026-01-01' };
    const padded = Buffer.from(JSON.stringify(key)).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
    const reversed = Buffer.from(JSON.stringify({ validOn: key.validOn, currency: key.currency })).toString(
      'base64url',
    );
    for (const id of [padded, padded.replace(/=+$/, ''), reversed]) {
      const rate = await as('admin', 'GET', `/entities/sales_ExchangeRate/${id}`);
      expect([rate.status, rate.json().id]).toEqual([200, key]);
      expect(rate.json().id).not.toHaveProperty('_entityName');
    }
    // Characters in which the alphabets differ; members that the key does not have do not matter
    // (contract/decisions.md#60).
    const plain = Buffer.from(JSON.stringify({ ...key, n: '???>>>' })).toString('base64');
    expect(plain).toMatch(/\+.*\/|\/.*\+/);
    const encoded = await as('admin', 'GET', `/entities/sales_ExchangeRate/${encodeURIComponent(plain)}`);
    expect([encoded.status, encoded.json().id]).toEqual([200, key]);
    for (const id of [plain, plain.replace(/=+$/, '')]) {
      // Slashes are more segments than the documents have.
      const raw = await fetch(`${baseUrl}/rest/entities/sales_ExchangeRate/${id}?fetchPlan=_local`, {
        headers: { authorization: `Bearer ${await tokenOf('admin')}` },
      });
      expect([raw.status, ((await raw.json()) as { id: unknown }).id]).toEqual([200, key]);
    }
    const other = (text: string): string => Buffer.from(text).toString('base64url');
    for (const wrong of ['x', 'a+b', other('[]'), other('{"currency":"USD"}'), other('{currency:"USD"}'), other('7')]) {
      const response = await as('admin', 'GET', `/entities/sales_ExchangeRate/${encodeURIComponent(wrong)}`);
      expect([response.status, response.json().error]).toEqual([400, 'Invalid entity ID']);
    }
  });
});

describe('values in responses (contract/instances.md#values)', () => {
  // Asserts contract/instances.md#object.
  test('every datatype of an order has its form', async () => {
    const sent = {
      ...{ amount: '1.10', discount: '0.5', notes: 'text', placedAt: '2026-02-03T04:05:06+02:00' },
      ...{ confirmedAt: '2026-02-03T04:05', deliverFrom: '07:30', externalId: '0123456789ABCDEF0123456789ABCDEF' },
      ...{ status: 'CONFIRMED', attachment: 'fs://2026/02/03/a.txt?name=a%20b.txt' },
    };
    const id = await createOrder(sent);
    const response = await as('admin', 'GET', `/entities/sales_Order/${id}?fetchPlan=_local`);
    expect(response.json()).toMatchObject({
      ...{ date: '2026-02-03', status: 'CONFIRMED', notes: 'text', placedAt: '2026-02-03T02:05:06.000Z' },
      ...{ confirmedAt: '2026-02-03T04:05:00.000', deliverFrom: '07:30:00' },
      ...{ externalId: '01234567-89ab-cdef-0123-456789abcdef', attachment: sent.attachment },
      ...{ createdDate: expect.stringMatching(instant), version: expect.any(Number) },
    });
    // The scale of the column, whatever was sent.
    expect(response.text).toMatch(/"discount":\s*0\.5000\b/);
  });

  // Asserts contract/decisions.md#15, contract/decisions.md#49, contract/instances.md#values.
  test('exact numbers come back as they were sent, far beyond binary floats', async () => {
    const body = `{"name": "P", "sku": "${unique('s')}", "price": 12345678901234567.89, "barcode": 9007199254740993, "weight": 0.1, "stock": -5}`;
    const response = await as('admin', 'POST', '/entities/sales_Product?responseFetchPlan=_local', { body });
    expect(response.status).toBe(201);
    expect(response.text).toMatch(/"price":\s*12345678901234567\.89\b/);
    expect(response.text).toMatch(/"barcode":\s*9007199254740993\b/);
    expect(response.json()).toMatchObject({ weight: 0.1, stock: -5 });
  });

  // Asserts contract/instances.md#values.
  test('an empty element collection is [], an embedded object without values absent', async () => {
    const name = unique('c');
    const plan = { entity: 'sales_Customer', properties: ['tags', 'address', 'orders'] };
    const created = await as('admin', 'POST', `/entities/sales_Customer${query({ responseFetchPlan: plan })}`, {
      body: { name, address: { city: null } },
    });
    expect(created.json()).toMatchObject({ tags: [], orders: [] });
    expect(created.json()).not.toHaveProperty('address');
    const withNulls = await as(
      'admin',
      'GET',
      `/entities/sales_Customer/${created.json().id}${query({ fetchPlan: plan, returnNulls: 'true' })}`,
    );
    expect(withNulls.json().address).toBeNull();
  });

  // Asserts contract/instances.md#values.
  test('an embedded object shows its attributes; empty ones only on request', async () => {
    const created = await as('admin', 'POST', '/entities/sales_Customer', {
      body: { name: unique('c'), address: { city: 'Ulm' } },
    });
    const path = `/entities/sales_Customer/${created.json().id}`;
    expect((await as('admin', 'GET', path)).json().address).toEqual({ city: 'Ulm' });
    expect((await as('admin', 'GET', `${path}?returnNulls=true`)).json().address).toEqual({
      ...{ country: null, city: 'Ulm', street: null, zip: null },
    });
  });
});

describe('soft deletion (contract/reading.md#soft-deletion)', () => {
  const product = async (name: string): Promise<string> => {
    const body = { name, sku: unique('s'), price: 1 };
    return String((await as('admin', 'POST', '/entities/sales_Product', { body })).json().id);
  };

  // Asserts contract/decisions.md#1, contract/errors.md#catalogue, contract/reading.md#count,
  // contract/reading.md#soft-deletion.
  test('a deleted instance is in no list, search, count or single read', async () => {
    const name = unique('gone');
    const id = await product(name);
    const filter = { conditions: [{ property: 'name', operator: '=', value: name }] };
    const found = async (): Promise<unknown[]> => [
      (await as('admin', 'GET', `/entities/sales_Product/${id}`)).status,
      (await as('admin', 'POST', '/entities/sales_Product/search', { body: { filter } })).json().length,
      (await as('admin', 'POST', '/entities/sales_Product/search/count', { body: { filter } })).text,
      (
        await as('admin', 'GET', `/entities/sales_Product/search${query({ filter, returnCount: 'true', limit: 1 })}`)
      ).headers.get('x-total-count'),
    ];
    expect(await found()).toEqual([200, 1, '1', '1']);
    expect((await as('admin', 'DELETE', `/entities/sales_Product/${id}`)).status).toBe(204);
    expect(await found()).toEqual([404, 0, '0', '0']);
  });

  // Asserts contract/instances.md#values, contract/reading.md#soft-deletion.
  test('a to-one reference to it is still shown, collections leave it out (contract/decisions.md#47)', async () => {
    const tag = (await as('admin', 'POST', '/entities/sales_ProductTag', { body: { name: unique('tag') } })).json();
    const kept = await product(unique('kept'));
    const gone = await product(unique('gone'));
    for (const id of [kept, gone])
      await as('admin', 'PUT', `/entities/sales_Product/${id}`, { body: { tags: [{ id: tag.id }] } });
    const order = await createOrder({ lines: [{ product: { id: gone }, quantity: 1 }] });
    await as('admin', 'DELETE', `/entities/sales_Product/${gone}`);

    const tagPlan = { entity: 'sales_ProductTag', properties: ['products'] };
    const shown = await as('admin', 'GET', `/entities/sales_ProductTag/${tag.id}${query({ fetchPlan: tagPlan })}`);
    expect(shown.json().products.map(({ id }: { id: string }) => id)).toEqual([kept]);
    const orderPlan = {
      entity: 'sales_Order',
      properties: [{ name: 'lines', fetchPlan: { properties: ['product'] } }],
    };
    const lines = (await as('admin', 'GET', `/entities/sales_Order/${order}${query({ fetchPlan: orderPlan })}`)).json()
      .lines;
    expect(lines[0].product.id).toBe(gone);
    const path = { conditions: [{ property: 'products', operator: '=', value: gone }] };
    expect(
      (await as('admin', 'POST', '/entities/sales_ProductTag/search/count', { body: { filter: path } })).text,
    ).toBe('0');
  });

  // Asserts contract/decisions.md#47, contract/instances.md#values.
  test('the members of a 1:N association leave it out', async () => {
    const customer = (await as('admin', 'POST', '/entities/sales_Customer', { body: { name: unique('c') } })).json().id;
    const [kept, gone] = [
      await createOrder({ customer: { id: customer } }),
      await createOrder({ customer: { id: customer } }),
    ];
    await as('admin', 'DELETE', `/entities/sales_Order/${gone}`);
    const plan = { entity: 'sales_Customer', properties: ['orders'] };
    const shown = await as('admin', 'GET', `/entities/sales_Customer/${customer}${query({ fetchPlan: plan })}`);
    expect(shown.json().orders.map(({ id }: { id: string }) => id)).toEqual([kept]);
  });

  // Asserts contract/reading.md#soft-deletion.
  test('with returnNulls the attributes of the deletion are there, and null', async () => {
    const shown = (await as('admin', 'GET', `/entities/sales_Order/${demo.order(1)}?returnNulls=true`)).json();
    expect(shown).toMatchObject({ deletedDate: null, deletedBy: null });
  });
});

describe('dynamic attributes that there are not (contract/dynamic-attributes.md#filtering)', () => {
  test('a filter on one is a filter on an unknown property', async () => {
    const filter = { conditions: [{ property: '+none', operator: '=', value: true }] };
    const response = await as('admin', 'POST', '/entities/sales_Customer/search', { body: { filter } });
    expect([response.status, response.json()]).toEqual([
      400,
      { error: 'Cannot parse entities filter', details: 'Property for sales_Customer not found: +none' },
    ]);
  });
});

describe('tags of single instances (contract/decisions.md#54)', () => {
  test('If-None-Match with the tag of the response: 304 without a body', async () => {
    const path = `/entities/sales_Order/${demo.order(3)}`;
    const first = await as('admin', 'GET', path);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"\d+\.[\w-]+"$/);
    expect(first.headers.get('vary')).toContain('Authorization');
    const again = await as('admin', 'GET', path, { headers: { 'if-none-match': etag } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    const other = await as('admin', 'GET', `${path}?fetchPlan=_local`, { headers: { 'if-none-match': etag } });
    expect(other.status).toBe(other.headers.get('etag') === etag ? 304 : 200);
  });
});
