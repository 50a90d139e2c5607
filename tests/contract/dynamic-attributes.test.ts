import { as, demo, query, type Response, unique } from './api.ts';

const path = '/entities/sales_Customer';
const dynamicOf = (instance: object): object =>
  Object.fromEntries(Object.entries(instance).filter(([name]) => name.startsWith('+')));

async function createCustomer(values: object, user = 'admin'): Promise<Response> {
  const response = await as(user, 'POST', path, { body: { name: unique('dyn'), ...values } });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response;
}

async function read(id: string, parameters: object = {}, user = 'admin') {
  const response = await as(user, 'GET', `${path}/${id}${query({ dynamicAttributes: 'true', ...parameters })}`);
  expect(response.status).toBe(200);
  return response.json();
}

const favourite = { _entityName: 'sales_Product', _instanceName: expect.any(String), id: demo.product(3) };
const ALL = { '+loyaltyNumber': 'L-1', '+loyaltyPoints': 7, '+vip': true, '+favourite': { id: demo.product(3) } };
const SHOWN = { ...ALL, '+favourite': favourite };

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

  test('dynamicAttributes=true adds members +code at the top level, beside any plan; without it there are none', async () => {
    const { id } = (await createCustomer(ALL)).json();
    for (const plan of ['_local', '_base', '_instance_name', 'customer-with-orders'])
      expect(dynamicOf(await read(id, { fetchPlan: plan }))).toEqual(SHOWN);
    for (const url of [`${path}/${id}`, `${path}/${id}?dynamicAttributes=false`])
      expect((await as('admin', 'GET', url)).text).not.toContain('"+loyalty');
  });

  test('they come after the attributes of the plan', async () => {
    const { id } = (await createCustomer(ALL)).json();
    const names = Object.keys(await read(id, { fetchPlan: { entity: 'sales_Customer', properties: ['name'] } }));
    expect(names).toEqual(['_entityName', '_instanceName', 'id', 'name', ...Object.keys(ALL)]);
  });

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

  test('nested objects that the plan covers have theirs', async () => {
    const { id } = (await createCustomer(ALL)).json();
    const order = await as('admin', 'POST', '/entities/sales_Order', {
      body: { number: unique('D'), date: '2026-02-03', customer: { id } },
    });
    const plan = { entity: 'sales_Order', properties: ['number', { name: 'customer', fetchPlan: { properties: [] } }] };
    const url = `/entities/sales_Order/${order.json().id}${query({ fetchPlan: plan, dynamicAttributes: 'true' })}`;
    expect(dynamicOf((await as('admin', 'GET', url)).json().customer)).toEqual(SHOWN);
  });

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

  test('no attribute policy is about them, and they are in no list of permissions', async () => {
    const { id } = (await createCustomer({ ...ALL, address: { country: 'DE' } })).json();
    expect(dynamicOf(await read(id, {}, 'clerk'))).toEqual(SHOWN);
    expect((await as('admin', 'GET', '/permissions')).text).not.toContain('loyalty');
  });

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

describe('writing dynamic attributes (contract/writing.md#update)', () => {
  test('a create stores them; its response has those with a value, whatever the plan of the response', async () => {
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
  ])('a wrong value of %s (%j) is 400 naming it, and nothing is created', async (member, value) => {
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

  test('an enumeration’s value is its text; which ones there are is not enforced', async () => {
    expect((await define('ENUMERATION', { enumeration: 'RED, GREEN' })).status).toBe(201);
    expect(await newOwner('GREEN')).toEqual([201, 'GREEN']);
    expect(await newOwner('BLUE')).toEqual([201, 'BLUE']);
  });

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

  test.each(['Upper', '1st', 'two words', 'a-b', ''])('the code %j is refused', async (wrong) => {
    const response = await define('STRING', { code: wrong });
    expect([response.status, response.text]).toEqual([400, expect.stringContaining('code')]);
  });

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
