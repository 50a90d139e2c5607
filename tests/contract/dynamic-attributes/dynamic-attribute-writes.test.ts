import { as, type Response, unique } from '../api.ts';
import { ALL, createCustomer, dynamicOf, path, read, SHOWN } from './customers.ts';

describe('writing dynamic attributes (contract/writing.md#update)', () => {
  test('a create stores them; its response has those with a value, with any plan of the response', async () => {
    const created = await createCustomer({ ...ALL, '+vip': null });
    const { '+vip': _, ...rest } = SHOWN;
    expect(created.json()).toEqual({
      _entityName: 'sales_Customer',
      _instanceName: expect.any(String),
      id: expect.any(String),
      ...rest,
    });
    const planned = await as('admin', 'POST', `${path}?responseFetchPlan=_instance_name`, {
      body: { name: unique('dyn'), ...ALL },
    });
    expect(dynamicOf(planned.json())).toEqual(SHOWN);
  });

  test('an update changes what is sent, null removes, and what is left out stays (contract/decisions.md#10)', async () => {
    const { id } = (await createCustomer(ALL)).json();
    const updated = await as('admin', 'PUT', `${path}/${id}`, { body: { '+loyaltyPoints': 8, '+vip': null } });
    const { '+vip': _, ...rest } = { ...SHOWN, '+loyaltyPoints': 8 };
    expect([updated.status, dynamicOf(updated.json())]).toEqual([200, rest]);
    const other = await as('admin', 'PUT', `${path}/${id}`, { body: { phone: '1' } });
    expect(dynamicOf(other.json())).toEqual(rest);
    expect(dynamicOf(await read(id))).toEqual(rest);
  });

  test('an update of nothing but dynamic values raises the version; equal values do not', async () => {
    const { id } = (await createCustomer(ALL)).json();
    const versionAfter = async (body: object): Promise<number> => {
      expect((await as('admin', 'PUT', `${path}/${id}`, { body })).status).toBe(200);
      return (await read(id, { fetchPlan: '_local' })).version;
    };
    expect(await versionAfter(ALL)).toBe(1);
    expect(await versionAfter({ '+loyaltyPoints': 9 })).toBe(2);
  });

  test('codes that the entity does not have are ignored', async () => {
    const created = await createCustomer({ '+unknown': { any: ['thing'] }, '+': 1, '+name': 'x' });
    expect(dynamicOf(created.json())).toEqual({});
  });

  test('batches keep each instance’s own values', async () => {
    const bodies = [1, 2].map((points) => ({ name: unique('dyn'), '+loyaltyPoints': points }));
    const created = await as('admin', 'POST', path, { body: bodies });
    expect(created.json().map(dynamicOf)).toEqual([{ '+loyaltyPoints': 1 }, { '+loyaltyPoints': 2 }]);
    const changes = created.json().map(({ id }: { id: string }, at: number) => ({ id, '+vip': at === 0 }));
    const updated = await as('admin', 'PUT', path, { body: changes });
    expect(updated.json().map(dynamicOf)).toEqual([
      { '+loyaltyPoints': 1, '+vip': true },
      { '+loyaltyPoints': 2, '+vip': false },
    ]);
  });

  test.each([
    ['+loyaltyNumber', 5],
    ['+loyaltyPoints', '1.5'],
    ['+loyaltyPoints', [1]],
    ['+vip', 'perhaps'],
    ['+favourite', 'text'],
    ['+favourite', { id: 'no uuid' }],
  ])('a wrong value of %s (%j) returns 400 naming it, and nothing is created', async (member, value) => {
    const name = unique('dyn');
    const response = await as('admin', 'POST', path, { body: { name, [member]: value } });
    expect([response.status, response.text]).toEqual([400, expect.stringContaining(member)]);
    const filter = { conditions: [{ property: 'name', operator: '=', value: name }] };
    expect((await as('admin', 'POST', `${path}/search`, { body: { filter } })).json()).toEqual([]);
  });

  test('a reference must be to an instance that is there', async () => {
    const missing = await as('admin', 'POST', path, {
      body: { name: unique('dyn'), '+favourite': { id: '00000000-0000-4000-8000-00000000dead' } },
    });
    expect([missing.status, missing.json()]).toEqual([
      400,
      { error: 'Entity creation failed', details: "Referenced entity for property '+favourite' is missing" },
    ]);
  });

  test('a caller who may update the entity may set them, be its attributes denied or not', async () => {
    const { id } = (await createCustomer({ address: { country: 'DE' } })).json();
    const updated = await as('clerk', 'PUT', `${path}/${id}`, { body: { '+loyaltyPoints': 5, creditLimit: 1 } });
    expect([updated.status, dynamicOf(updated.json())]).toEqual([200, { '+loyaltyPoints': 5 }]);
  });
});

describe('defining dynamic attributes (contract/dynamic-attributes.md#dynamic-attributes)', () => {
  const owner = '/entities/sales_Delivery';
  let code: string;
  beforeEach(() => {
    code = unique('c').replaceAll('-', '');
  });
  const categories: string[] = [];
  afterAll(() => as('admin', 'DELETE', '/entities/dynat_Category', { body: categories }));
  const define = async (dataType: string, more: object = {}, user = 'admin'): Promise<Response> => {
    const response = await as(user, 'POST', '/entities/dynat_Category', {
      body: {
        name: unique('category'),
        entityType: 'sales_Delivery',
        categoryAttrs: [{ name: 'Test', code, dataType, ...more }],
      },
    });
    if (response.status === 201) categories.push(response.json().id);
    return response;
  };
  const newOwner = async (value: unknown) => {
    const body = { carrier: 'Test', [`+${code}`]: value };
    const response = await as('admin', 'POST', owner, { body });
    return [response.status, response.status === 201 ? response.json()[`+${code}`] : response.json().details];
  };

  // Asserts contract/dynamic-attributes.md#reading.
  test.each([
    ['STRING', 'Ähm "x"', 'Ähm "x"'],
    ['INTEGER', '12', 12],
    ['DOUBLE', 0.1, 0.1],
    ['DECIMAL', '12345678901.10', 12345678901.1],
    ['DATE', '2026-02-03T04:05', '2026-02-03T04:05:00.000'],
    ['DATE_WITHOUT_TIME', '2026-02-03', '2026-02-03'],
    ['BOOLEAN', false, false],
  ])('a value of the type %s', async (dataType, sent, shown) => {
    expect((await define(dataType)).status).toBe(201);
    expect(await newOwner(sent)).toEqual([201, shown]);
  });

  // Asserts contract/dynamic-attributes.md#reading.
  test('an enumeration’s value is its text; which ones there are is not enforced', async () => {
    expect((await define('ENUMERATION', { enumeration: 'RED, GREEN' })).status).toBe(201);
    expect(await newOwner('GREEN')).toEqual([201, 'GREEN']);
    expect(await newOwner('BLUE')).toEqual([201, 'BLUE']);
  });

  // Asserts contract/dynamic-attributes.md#reading.
  test('collections are arrays in the order that was sent', async () => {
    expect((await define('STRING', { isCollection: true })).status).toBe(201);
    expect(await newOwner(['b', 'a'])).toEqual([201, ['b', 'a']]);
    expect(await newOwner([])).toEqual([201, undefined]);
    expect(await newOwner('b')).toEqual([400, `Attribute '+${code}' must be a JSON array`]);
  });

  test('a value that is required may be left out', async () => {
    expect((await define('STRING', { required: true })).status).toBe(201);
    expect(await newOwner(null)).toEqual([201, undefined]);
  });

  // Asserts contract/dynamic-attributes.md#dynamic-attributes.
  test.each(['Upper', '1st', 'two words', 'a-b', ''])('the code %j is refused', async (wrong) => {
    const response = await define('STRING', { code: wrong });
    expect([response.status, response.text]).toEqual([400, expect.stringContaining('code')]);
  });

  // Asserts contract/dynamic-attributes.md#dynamic-attributes.
  test('an entity that is not there, or has a composite key, has no dynamic attributes', async () => {
    for (const entityType of ['sales_Nothing', 'sales_ExchangeRate', 'sales_Address']) {
      const response = await as('admin', 'POST', '/entities/dynat_Category', { body: { name: 'x', entityType } });
      expect([response.status, response.json()[0]?.path]).toEqual([400, 'entityType']);
    }
  });

  test('only who may write the definitions can', async () => {
    expect((await define('STRING', {}, 'manager')).status).toBe(403);
  });

  test('deleting the category takes the attribute out of force', async () => {
    const category = (await define('STRING')).json().id;
    expect(await newOwner('x')).toEqual([201, 'x']);
    expect((await as('admin', 'DELETE', `/entities/dynat_Category/${category}`)).status).toBe(204);
    categories.pop();
    expect(await newOwner('x')).toEqual([201, undefined]);
  });
});
