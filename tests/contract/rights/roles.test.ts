import { as, createOrder, query, send, tokenRequest, unique, withinASecond } from '../api.ts';

const created: string[] = [];

/** Makes an instance as the administrator; it is removed after the tests. Returns its path. */
async function make(entity: string, values: object): Promise<string> {
  const response = await as('admin', 'POST', `/entities/${entity}`, { body: values });
  if (response.status !== 201) throw new Error(`${entity}: ${response.status} ${response.text}`);
  const path = `/entities/${entity}/${response.json().id}`;
  created.unshift(path);
  return path;
}

afterAll(async () => {
  for (const path of created) await as('admin', 'DELETE', path);
});

const policy = (type: string, resource: string, action: string) => ({ type, resource, action });

/** A new user with the assignments, logged in. */
async function login(roles: readonly string[], rowRoles: readonly string[] = []) {
  const username = unique('roles');
  await make('sec_User', { username, password: `secret-of-${username}`, active: true, country: 'DE' });
  for (const roleCode of roles) await make('sec_RoleAssignment', { username, roleCode, roleType: 'resource' });
  for (const roleCode of rowRoles) await make('sec_RoleAssignment', { username, roleCode, roleType: 'row-level' });
  const token = (
    await tokenRequest('/oauth/token', { grant_type: 'password', username, password: `secret-of-${username}` })
  ).json();
  const headers = { authorization: `Bearer ${token.access_token}` };
  return (method: string, path: string, body?: object) =>
    send(method, `/rest${path}`, { headers, ...(body === undefined ? {} : { body }) });
}

test('a role of the database grants what its policies say, and a change acts on sessions at once', async () => {
  const code = unique('reader');
  const role = await make('sec_ResourceRole', {
    name: 'Reader',
    code,
    scopes: ['API'],
    childRoles: ['rest-minimal'],
    resourcePolicies: [
      policy('entity', 'sales_Product', 'read'),
      policy('entityAttribute', 'sales_Product.name', 'view'),
    ],
  });
  const user = await login([code]);
  const products = () => user('GET', '/entities/sales_Product?limit=1');
  const first = await withinASecond(products, ({ status }) => status === 200);
  expect(first.status).toBe(200);
  expect(Object.keys(first.json()[0]).sort()).toEqual(['_entityName', '_instanceName', 'id', 'name']);
  expect((await user('GET', '/entities/sales_Order?limit=1')).status).toBe(403);

  // Children that are sent side by side all bring the same attributes.
  const properties = ['type', 'resource', 'action'];
  const fetchPlan = {
    entity: 'sec_ResourceRole',
    properties: [{ name: 'resourcePolicies', fetchPlan: { properties } }],
  };
  const policies = (await as('admin', 'GET', `${role}${query({ fetchPlan })}`)).json();
  const change = await as('admin', 'PUT', role, {
    body: { resourcePolicies: [...policies.resourcePolicies, policy('entity', 'sales_Order', 'read')] },
  });
  expect(change.status).toBe(200);
  const orders = () => user('GET', '/entities/sales_Order?limit=1');
  expect((await orders()).status).toBe(200);

  expect((await as('admin', 'PUT', role, { body: { resourcePolicies: [] } })).status).toBe(200);
  expect((await products()).status).toBe(403);
});

// Asserts contract/roles.md#step-up.
test('a policy of the database with the effect step-up needs a second factor, of a token of the password grant too', async () => {
  const code = unique('careful');
  await make('sec_ResourceRole', {
    name: 'Careful',
    code,
    scopes: ['API'],
    childRoles: ['rest-minimal'],
    resourcePolicies: [{ ...policy('entity', 'sales_Product', 'read'), effect: 'step-up' }],
  });
  const user = await login([code]);
  const products = () => user('GET', '/entities/sales_Product?limit=1');
  const { status, headers } = await withinASecond(products, (response) => response.status === 401);
  expect([status, headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringContaining('error="insufficient_user_authentication"'),
  ]);
  expect(headers.get('www-authenticate')).toContain('acr_values="urn:lintel:acr:2fa"');
  const { entities } = (await user('GET', '/permissions')).json();
  expect(entities.filter(({ acr }: { acr?: string }) => acr !== undefined)).toEqual([
    { target: 'sales_Product:read', value: 0, acr: 'urn:lintel:acr:2fa' },
  ]);
});

// Asserts contract/decisions.md#59, contract/row-policies.md#policies, contract/row-policies.md#reading.
test('a row-level role of the database hides rows from lists, counts, references and by id', async () => {
  const code = unique('rows');
  const grants = unique('grants');
  await make('sec_ResourceRole', {
    name: 'Grants',
    code: grants,
    scopes: ['API'],
    childRoles: ['rest-minimal'],
    resourcePolicies: [policy('entity', '*', 'all'), policy('entityAttribute', '*.*', 'modify')],
  });
  await make('sec_RowLevelRole', {
    name: 'Rows',
    code,
    rowLevelPolicies: [
      {
        type: 'query',
        entityName: 'sales_Customer',
        action: 'read',
        whereClause: '{E}.address.country = :current_user_country',
      },
      { type: 'predicate', entityName: 'sales_Product', action: 'read,update', script: '{E}.price < 50' },
    ],
  });
  const user = await login([grants], [code]);
  const customers = () => user('GET', '/entities/sales_Customer?limit=500&returnCount=true&fetchPlan=_base');
  const response = await withinASecond(customers, ({ status }) => status === 200);
  const all = await as('admin', 'GET', '/entities/sales_Customer?limit=500&fetchPlan=_base');
  const german = all.json().filter(({ address }: { address?: { country?: string } }) => address?.country === 'DE');
  expect(german.length).toBeGreaterThan(0);
  expect(german.length).toBeLessThan(all.json().length);
  expect(response.json()).toHaveLength(german.length);
  expect(response.headers.get('x-total-count')).toBe(String(german.length));

  const dear = (await as('admin', 'GET', '/entities/sales_Product?sort=-price&limit=1')).json()[0];
  const cheap = (await as('admin', 'GET', '/entities/sales_Product?sort=price&limit=1')).json()[0];
  expect([
    (await user('GET', `/entities/sales_Product/${dear.id}`)).status,
    (await user('GET', `/entities/sales_Product/${cheap.id}`)).status,
  ]).toEqual([404, 200]);
  const raised = await user('PUT', `/entities/sales_Product/${cheap.id}`, { price: 99 });
  expect([raised.status, raised.json().error]).toEqual([403, 'Forbidden']);
  const after = await as('admin', 'GET', `/entities/sales_Product/${cheap.id}`);
  expect(after.json().price).toBe(cheap.price);
});

// Asserts contract/decisions.md#73.
test('a row-level role of the database binds creations, changes and deletions, and hides nothing by that', async () => {
  const code = unique('binding');
  await make('sec_RowLevelRole', {
    name: 'Binding',
    code,
    rowLevelPolicies: [
      {
        type: 'query',
        entityName: 'sales_Customer',
        action: 'create, update, delete',
        whereClause: '{E}.address.country = :current_user_country',
      },
    ],
  });
  const user = await login(['system-full-access'], [code]);
  const customer = (country: string) => ({ name: unique('bound'), address: { country } });
  const french = (await as('admin', 'POST', '/entities/sales_Customer', { body: customer('FR') })).json().id;
  const created = await withinASecond(
    () => user('POST', '/entities/sales_Customer', customer('FR')),
    ({ status }) => status !== 201,
  );
  expect([created.status, created.json()]).toEqual([
    403,
    {
      error: 'Forbidden',
      details: expect.stringMatching(/^resource: sales_Customer-[0-9a-f-]{36}, type: entity, action: create$/),
    },
  ]);
  const german = (await user('POST', '/entities/sales_Customer', customer('DE'))).json().id;
  const statuses = [
    await user('GET', `/entities/sales_Customer/${french}`),
    await user('PUT', `/entities/sales_Customer/${french}`, { address: { country: 'DE' } }),
    await user('DELETE', `/entities/sales_Customer/${french}`),
    await user('PUT', `/entities/sales_Customer/${german}`, { address: { country: 'FR' } }),
    await user('PUT', `/entities/sales_Customer/${german}`, { phone: '030' }),
    await user('DELETE', `/entities/sales_Customer/${german}`),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 403, 403, 403, 200, 204]);
});

// Asserts contract/decisions.md#31, contract/roles.md#definition.
test.each([
  ['denies', { type: 'entity', resource: 'sales_Order', action: 'read', effect: 'deny' }, 'effect'],
  ['names an unknown entity', policy('entity', 'sales_Nothing', 'read'), 'resource'],
  ['names an unknown attribute', policy('entityAttribute', 'sales_Order.colour', 'view'), 'resource'],
  ['has an unknown action', policy('entity', 'sales_Order', 'look'), 'action'],
])('a policy that %s is refused', async (_case, given, path) => {
  const code = unique('refused');
  const response = await as('admin', 'POST', '/entities/sec_ResourceRole', {
    body: { name: 'Refused', code, scopes: ['API'], resourcePolicies: [given] },
  });
  expect([response.status, response.json()[0].path]).toEqual([400, `resourcePolicies[0].${path}`]);
  const filter = { conditions: [{ property: 'code', operator: '=', value: code }] };
  const left = await as('admin', 'GET', `/entities/sec_ResourceRole/search${query({ filter })}`);
  expect(left.json()).toEqual([]);
});

// Asserts contract/row-policies.md#policies.
test('a policy may join: customers who ordered a product that is still on sale', async () => {
  const code = unique('joined');
  const sku = unique('sku');
  const product = await as('admin', 'POST', '/entities/sales_Product', { body: { sku, name: sku, price: '1.00' } });
  const line = { position: 1, product: { id: product.json().id }, quantity: 1 };
  const [ordered] = [await createOrder({ lines: [line] }), await createOrder()];
  await make('sec_RowLevelRole', {
    name: 'Joined',
    code,
    rowLevelPolicies: [
      {
        type: 'query',
        entityName: 'sales_Order',
        action: 'read',
        joinClause: 'join {E}.lines l join l.product p',
        whereClause: `p.sku = '${sku}'`,
      },
    ],
  });
  const user = await login(['system-full-access'], [code]);
  const seen = await withinASecond(
    () => user('GET', '/entities/sales_Order?limit=10000'),
    ({ status }) => status === 200,
  );
  expect(seen.json().map(({ id }: { id: string }) => id)).toEqual([ordered]);
});

// Asserts contract/decisions.md#59, contract/row-policies.md#policies.
test.each([
  ['whereClause', { type: 'query', entityName: 'sales_Order', whereClause: '{E}.colour = 1' }],
  ['joinClause', { type: 'query', entityName: 'sales_Order', joinClause: 'join {E}.colour c', whereClause: '1 = 1' }],
  ['whereClause', { type: 'query', entityName: 'sales_Order', whereClause: 'drop table' }],
  ['script', { type: 'predicate', entityName: 'sales_Order', action: 'read' }],
  ['action', { type: 'query', entityName: 'sales_Order', action: 'create,look', whereClause: '1 = 1' }],
  ['action', { type: 'predicate', entityName: 'sales_Order', action: null, script: '{E}.number is null' }],
  ['entityName', { type: 'query', entityName: 'sales_PriceQuote', whereClause: '{E}.total = 1' }],
])('a row-level policy with a wrong %s is refused', async (path, given) => {
  const response = await as('admin', 'POST', '/entities/sec_RowLevelRole', {
    body: { name: 'Refused', code: unique('refused'), rowLevelPolicies: [given] },
  });
  expect([response.status, response.json()[0].path]).toEqual([400, `rowLevelPolicies[0].${path}`]);
});

// Asserts contract/roles.md#definition.
test('the code of a role of the application cannot be taken', async () => {
  const response = await as('admin', 'POST', '/entities/sec_ResourceRole', {
    headers: { 'accept-language': 'de' },
    body: { name: 'Mine', code: 'system-full-access', scopes: ['API'] },
  });
  expect([response.status, response.json()]).toEqual([
    400,
    [
      {
        message: 'Das ist der Code einer Rolle der Anwendung',
        messageTemplate: '{lintel.validation.RoleCodeTaken.message}',
        path: 'code',
        invalidValue: 'system-full-access',
      },
    ],
  ]);
});

test('a role that is assigned to a user keeps its code and cannot be deleted', async () => {
  const code = unique('kept');
  const rows = [{ type: 'query', entityName: 'sales_Order', action: 'read', whereClause: '1 = 0' }];
  const role = await make('sec_RowLevelRole', { name: 'Kept', code, rowLevelPolicies: rows });
  const user = await login(['system-full-access'], [code]);
  const renamed = await as('admin', 'PUT', role, { body: { code: unique('other') } });
  expect([renamed.status, renamed.json()[0].path]).toEqual([400, 'code']);
  const deleted = await as('admin', 'DELETE', role);
  expect([deleted.status, deleted.json().error]).toEqual([409, 'Delete policy violation']);
  expect((await user('GET', '/entities/sales_Order')).json()).toEqual([]);
});

// Asserts contract/roles.md#definition.
test('roles are reached only with rights on their entities', async () => {
  for (const entity of ['sec_ResourceRole', 'sec_ResourcePolicy', 'sec_RowLevelRole', 'sec_RowLevelPolicy'])
    for (const user of ['manager', 'clerk', 'viewer'])
      expect((await as(user, 'GET', `/entities/${entity}`)).status).toBe(403);
});
