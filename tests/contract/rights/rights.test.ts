import { as, demo, query, type Response, send, tokenRequest, unique, withinASecond } from '../api.ts';
import { type NewUser, newUser } from '../new-user.ts';

const call = (token: string, method: string, path: string, body?: object): Promise<Response> =>
  send(method, `/rest${path}`, {
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body }),
  });

interface NewRole {
  readonly code: string;
  readonly id: string;
}

async function newRowRole(whereClause: string, entityName = 'sales_Order'): Promise<NewRole> {
  const code = unique('rule');
  const policy = { type: 'query', entityName, action: 'read', whereClause };
  const body = { code, name: `Rule ${code}`, rowLevelPolicies: [policy] };
  const created = await as('admin', 'POST', '/entities/sec_RowLevelRole', { body });
  expect([created.status, created.status === 201 ? '' : created.text]).toEqual([201, '']);
  return { code, id: created.json().id };
}

describe('roles (contract/rights.md#rights)', () => {
  test('those of the application and of the database are in one list, with their policies', async () => {
    const { code } = await newRowRole("{E}.number = 'none'");
    const response = await as('admin', 'GET', '/rights/roles');
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const { resourceRoles, rowLevelRoles } = response.json();
    expect(resourceRoles).toContainEqual({
      code: 'rest-minimal',
      name: 'REST: minimal access',
      description: null,
      source: 'application',
      isReplaced: false,
      scopes: ['API'],
      childRoles: [],
      policies: [{ type: 'specific', resource: 'rest.enabled', action: 'access', effect: 'allow' }],
    });
    expect(rowLevelRoles.find((role: { code: string }) => role.code === code)).toEqual({
      code,
      name: `Rule ${code}`,
      source: 'database',
      policies: [
        {
          type: 'query',
          entityName: 'sales_Order',
          action: 'read',
          whereClause: "{E}.number = 'none'",
          joinClause: null,
          script: null,
        },
      ],
    });
    expect(rowLevelRoles.map((role: { code: string }) => role.code)).toContain('own-region');
  });

  // Asserts contract/rights.md#rights.
  test('the difference of two roles has the targets with different values', async () => {
    const path = (first: string, second: string) => `/rights/difference${query({ first, second })}`;
    expect((await as('admin', 'GET', path('sales-clerk', 'sales-clerk'))).json()).toEqual({
      entities: [],
      entityAttributes: [],
      specifics: [],
    });
    const { entities, specifics } = (await as('admin', 'GET', path('rest-minimal', 'system-full-access'))).json();
    expect(entities).toContainEqual({ target: 'sales_Order:read', first: 0, second: 1 });
    expect(specifics).toContainEqual({ target: 'clients.manage', first: 0, second: 1 });
    expect(specifics.map(({ target }: { target: string }) => target)).not.toContain('rest.enabled');
    expect((await as('admin', 'GET', path('rest-minimal', 'none'))).status).toBe(404);
    expect((await as('admin', 'GET', '/rights/difference?first=rest-minimal')).status).toBe(400);
  });

  // Asserts contract/rights.md#rights.
  test('the permissions of a user are those that the user sees', async () => {
    const { username, token } = await newUser(['rest-minimal', 'sales-clerk'], ['own-region']);
    const seen = await as('admin', 'GET', `/rights/permissions${query({ username })}`);
    expect(seen.json()).toEqual((await call(token, 'GET', '/permissions')).json());
    expect((await as('admin', 'GET', '/rights/permissions?username=unknown-one')).status).toBe(404);
  });

  // Asserts contract/rights.md#rights.
  test.each([
    [{ whereClause: '{E}.number = :current_user_username' }, []],
    [
      { whereClause: "{E}.number = 'a' and\n  {E}.date >" },
      [{ attribute: 'whereClause', message: expect.any(String), line: 2, column: expect.any(Number) }],
    ],
    [
      { whereClause: '{E}.nummer = 1' },
      [{ attribute: 'whereClause', message: expect.stringContaining('number'), line: null, column: null }],
    ],
    [
      { whereClause: '{E}.number = :unknown' },
      [{ attribute: 'whereClause', message: expect.any(String), line: null, column: null }],
    ],
    [
      { type: 'predicate', script: "{E}.number = '" },
      [{ attribute: 'script', message: expect.any(String), line: 1, column: expect.any(Number) }],
    ],
    [
      { entityName: 'sales_Ordr', whereClause: '1 = 1' },
      [{ attribute: 'entityName', message: expect.stringContaining('sales_Order'), line: null, column: null }],
    ],
  ])('the policy %j has the mistakes %j', async (policy, errors) => {
    const body = { entityName: 'sales_Order', ...policy };
    const response = await as('admin', 'POST', '/rights/conditions', { body });
    expect([response.status, response.json()]).toEqual([200, { errors }]);
  });

  // Asserts contract/rights.md#rights.
  test.each([
    ['/rights/conditions', {}, /entityName/],
    ['/rights/conditions', { entityName: 'sales_Order', where: '' }, /where/],
    ['/rights/preview', { username: 'clerk' }, /entityName/],
    ['/rights/preview', { username: 'clerk', entityName: 'sales_Order', role: 'x' }, /role and policies/],
    [
      '/rights/preview',
      {
        username: 'clerk',
        entityName: 'sales_Order',
        role: 'x',
        policies: [{ entityName: 'sales_Order', whereClause: '(' }],
      },
      /policies\.0\.whereClause/,
    ],
    ['/rights/see-as', { username: '' }, /username/],
    ['/rights/see-as', { username: 'admin' }, /username/],
  ])('POST %s with %j returns 400 and names the member', async (path, body, named) => {
    const response = await as('admin', 'POST', path, { body });
    expect([response.status, response.json().details]).toEqual([400, expect.stringMatching(named)]);
  });
});

describe('what another user sees (contract/rights.md#preview)', () => {
  test('is counted and shown with the rights of that user', async () => {
    const ids = [1, 2, 3].map(demo.customer);
    const { code } = await newRowRole(`{E}.id in (${ids.map((id) => `'${id}'`).join(', ')})`, 'sales_Customer');
    const { username, token } = await newUser(['rest-minimal', 'sales-clerk'], [code]);
    const body = { username, entityName: 'sales_Customer' };
    const { rows, ...preview } = (await as('admin', 'POST', '/rights/preview', { body })).json();
    expect(preview).toEqual({ canRead: true, count: 3 });
    expect(rows.map(({ id }: { id: string }) => id).sort()).toEqual(ids);
    const own = (await call(token, 'GET', '/entities/sales_Customer?fetchPlan=_base')).json();
    expect(rows.map(Object.keys)).toEqual(own.map(Object.keys));
  });

  // Asserts contract/rights.md#preview.
  test('is tried with a rule that is not saved', async () => {
    const { username, token } = await newUser(['rest-minimal', 'system-full-access']);
    const policies = [{ entityName: 'sales_Order', whereClause: `{E}.id = '${demo.order(1)}'` }];
    const body = { username, entityName: 'sales_Order', role: 'draft', policies };
    const preview = (await as('admin', 'POST', '/rights/preview', { body })).json();
    expect([preview.count, preview.rows.map(({ id }: { id: string }) => id)]).toEqual([1, [demo.order(1)]]);
    expect((await call(token, 'GET', `/entities/sales_Order/${demo.order(2)}`)).status).toBe(200);
  });

  // Asserts contract/rights.md#preview.
  test('replaces the stored rule of that code', async () => {
    const { code } = await newRowRole(`{E}.id = '${demo.order(1)}'`);
    const { username } = await newUser(['rest-minimal', 'system-full-access'], [code]);
    const preview = async (extra: object) =>
      (
        await as('admin', 'POST', '/rights/preview', { body: { username, entityName: 'sales_Order', ...extra } })
      ).json();
    expect((await preview({})).count).toBe(1);
    const other = [{ entityName: 'sales_Order', whereClause: `{E}.id in ('${demo.order(1)}', '${demo.order(2)}')` }];
    expect((await preview({ role: code, policies: other })).count).toBe(2);
    expect((await preview({ role: code, policies: [] })).count).toBeGreaterThan(2);
  });

  // Asserts contract/rights.md#preview.
  test('of an entity that the user may not read are no rows', async () => {
    const { username } = await newUser(['rest-minimal']);
    const body = { username, entityName: 'sales_Order' };
    expect((await as('admin', 'POST', '/rights/preview', { body })).json()).toEqual({
      canRead: false,
      count: 0,
      rows: [],
    });
  });

  // Asserts contract/rights.md#preview.
  test('the reasons why a user does not see an instance name the missing right and the rule', async () => {
    const { code } = await newRowRole(`{E}.id <> '${demo.order(1)}'`);
    const { username } = await newUser(['rest-minimal', 'sales-clerk'], [code]);
    const explain = async (user: string, id: string, entityName = 'sales_Order') =>
      (await as('admin', 'GET', `/rights/explanation${query({ username: user, entityName, id })}`)).json();
    const hidden = await explain(username, demo.order(1));
    expect(hidden).toMatchObject({ username, entityName: 'sales_Order', id: demo.order(1), isVisible: false });
    expect(hidden.reasons).toEqual([
      {
        reason: 'row-policy',
        role: code,
        roleName: `Rule ${code}`,
        policy: expect.objectContaining({ type: 'query', whereClause: `{E}.id <> '${demo.order(1)}'` }),
      },
    ]);
    expect(await explain(username, demo.order(2))).toMatchObject({ isVisible: true, reasons: [] });
    const { reasons } = await explain((await newUser(['rest-minimal'])).username, demo.order(2));
    expect(reasons).toEqual([{ reason: 'entity-denied', roles: expect.arrayContaining(['system-full-access']) }]);
    const without = await newUser([]);
    expect((await explain(without.username, demo.order(2))).reasons).toEqual([
      { reason: 'api-denied', roles: expect.arrayContaining(['rest-minimal']) },
      { reason: 'entity-denied', roles: expect.any(Array) },
    ]);
  });

  // Asserts contract/rights.md#preview.
  test('an instance that does not exist for the caller returns 404', async () => {
    const parameters = { username: 'clerk', entityName: 'sales_Order', id: '00000000-0000-4000-8000-000000000000' };
    expect((await as('admin', 'GET', `/rights/explanation${query(parameters)}`)).status).toBe(404);
  });

  // Asserts contract/rights.md#limits.
  test('is refused for a user with more rights, and for a caller with row-level roles', async () => {
    const role = unique('helper');
    const policies = ['rights.preview', 'sessions.see-as', 'rest.enabled'].map((resource) => ({
      type: 'specific',
      resource,
      action: 'access',
    }));
    const body = { code: role, name: role, scopes: ['API'], resourcePolicies: policies };
    expect((await as('admin', 'POST', '/entities/sec_ResourceRole', { body })).status).toBe(201);
    const helper = await newUser([role]);
    const preview = { username: 'admin', entityName: 'sales_Order' };
    const more = await withinASecond(
      () => call(helper.token, 'POST', '/rights/preview', preview),
      ({ json }) => json().details === 'The user has rights that the caller does not have',
    );
    expect([more.status, more.json().details]).toEqual([403, 'The user has rights that the caller does not have']);
    expect((await call(helper.token, 'POST', '/rights/see-as', { username: 'admin' })).status).toBe(403);
    const equal = await newUser(['rest-minimal']);
    expect((await call(helper.token, 'POST', '/rights/see-as', { username: equal.username })).status).toBe(201);

    const limited = await newUser(['rest-minimal', 'system-full-access'], ['own-region']);
    const denied = await call(limited.token, 'POST', '/rights/preview', { ...preview, username: equal.username });
    expect([denied.status, denied.json().details]).toEqual([
      403,
      'A caller with row-level roles may not see what another user sees',
    ]);
  });
});

describe('see as (contract/rights.md#see-as)', () => {
  const begin = async (token: string, username: string): Promise<string> => {
    const response = await call(token, 'POST', '/rights/see-as', { username });
    expect([response.status, response.status === 201 ? '' : response.text]).toEqual([201, '']);
    expect(response.json()).toEqual({ username, access_token: expect.stringMatching(/^lv_/), expires_in: 900 });
    return response.json().access_token;
  };
  const ends = async (token: string): Promise<number> =>
    (
      await withinASecond(
        () => call(token, 'GET', '/userInfo'),
        ({ status }) => status === 401,
      )
    ).status;

  let admin: NewUser;
  beforeAll(async () => {
    admin = await newUser(['rest-minimal', 'system-full-access']);
  });

  // Asserts contract/rights.md#see-as.
  test('reads what the user sees', async () => {
    const { username, token } = await newUser(['rest-minimal', 'sales-clerk'], ['own-region']);
    const seen = await begin(admin.token, username);
    for (const path of ['/userInfo', '/permissions', '/entities/sales_Customer?limit=3', '/metadata/entities'])
      expect((await call(seen, 'GET', path)).json()).toEqual((await call(token, 'GET', path)).json());
    const search = { filter: { conditions: [{ property: 'id', operator: 'notEmpty' }] }, limit: 3 };
    expect((await call(seen, 'POST', '/entities/sales_Customer/search', search)).status).toBe(200);
  });

  // Asserts contract/rights.md#see-as.
  test.each([
    ['POST', '/entities/sales_Customer', { name: 'x' }],
    ['PUT', `/entities/sales_Order/${demo.order(1)}`, {}],
    ['PATCH', `/entities/sales_Order/${demo.order(1)}`, {}],
    ['DELETE', `/entities/sales_Order/${demo.order(1)}`, undefined],
    ['GET', '/services', undefined],
    ['GET', '/user-session', undefined],
    ['DELETE', '/user-session', undefined],
    ['PUT', '/user-session/locale', undefined],
    ['POST', '/api-keys', { name: 'x' }],
    ['POST', '/rights/see-as', { username: 'clerk' }],
    ['GET', '/rights/roles', undefined],
    ['GET', '/clients', undefined],
    ['POST', '/tickets', { url: '/rest/changes/sales_Customer' }],
    ['GET', '/reports/list', undefined],
    ['POST', '/files?name=x.txt', {}],
  ])('%s %s is refused, whatever the user may do', async (method, path, body) => {
    const response = await call(await begin(admin.token, 'admin'), method, path, body);
    expect([response.status, response.json().details]).toEqual([
      403,
      'The session is for reading what the user sees, and for nothing else',
    ]);
  });

  // Asserts contract/rights.md#see-as.
  test('is in the list of sessions of the user, who can end it', async () => {
    const { username, token } = await newUser(['rest-minimal']);
    const seen = await begin(admin.token, username);
    const sessions: readonly { id: string; clientId: string }[] = (await call(token, 'GET', '/user-session')).json();
    const session = sessions.find(({ clientId }) => clientId === `see-as:${admin.username}`);
    expect((await call(token, 'DELETE', `/user-session/${session?.id}`)).status).toBe(204);
    expect(await ends(seen)).toBe(401);
  });

  // Asserts contract/rights.md#see-as.
  test('ends by its request, with another one, and with the session of the caller', async () => {
    const { username } = await newUser(['rest-minimal']);
    const first = await begin(admin.token, username);
    const second = await begin(admin.token, username);
    expect(await ends(first)).toBe(401);
    expect((await call(second, 'GET', '/userInfo')).status).toBe(200);
    expect((await call(admin.token, 'DELETE', '/rights/see-as')).status).toBe(204);
    expect(await ends(second)).toBe(401);
    expect((await call(admin.token, 'DELETE', '/rights/see-as')).status).toBe(204);
  });

  test('ends with the logout of the caller', async () => {
    const { username } = await newUser(['rest-minimal']);
    const helper = await newUser(['system-full-access', 'rest-minimal']);
    const seen = await begin(helper.token, username);
    await tokenRequest('/oauth/revoke', { token: helper.token });
    expect(await ends(seen)).toBe(401);
  });

  // Asserts contract/rights.md#see-as.
  test('needs a login: keys and clients are refused, and unknown users return 404', async () => {
    const { key } = (await call(admin.token, 'POST', '/api-keys', { name: 'k' })).json();
    expect((await call(key, 'POST', '/rights/see-as', { username: 'clerk' })).status).toBe(403);
    expect((await call(admin.token, 'POST', '/rights/see-as', { username: 'unknown-one' })).status).toBe(404);
  });
});

describe('what a caller lacks (contract/rights.md#needed)', () => {
  const needed = (user: string, parameters: string) => as(user, 'GET', `/rights/needed?${parameters}`);

  test('a caller learns which right is missing, and who may see roles learns which of them have it (contract/rights.md#needed)', async () => {
    const viewer = await needed('viewer', 'entityName=sales_Order&action=delete');
    expect([viewer.status, viewer.headers.get('cache-control'), viewer.json()]).toEqual([
      200,
      'no-store',
      { isGranted: false, roles: null, rowLevelRoles: expect.any(Array) },
    ]);
    const { isGranted, roles } = (await needed('admin', 'entityName=sales_Order&action=delete')).json();
    expect([isGranted, roles]).toEqual([true, expect.arrayContaining(['system-full-access'])]);
    expect((await needed('viewer', 'specific=health.view')).json()).toMatchObject({ isGranted: false, roles: null });
    expect((await needed('admin', 'specific=health.view')).json().roles).toContain('system-full-access');
  });

  test('the own row-level roles about the entity are named, and no others', async () => {
    const role = await newRowRole("{E}.number <> 'none'");
    const { token } = await newUser(['rest-minimal'], [role.code]);
    const ask = async (parameters: string) => (await call(token, 'GET', `/rights/needed?${parameters}`)).json();
    expect((await ask('entityName=sales_Order&action=read')).rowLevelRoles).toEqual([role.code]);
    expect((await ask('entityName=sales_Order&action=update')).rowLevelRoles).toEqual([]);
    expect((await ask('entityName=sales_Customer&action=read')).rowLevelRoles).toEqual([]);
  });

  // contract/errors.md#needed-policy
  test.each([
    ['viewer', 'POST', '/files?name=a.txt', 'rest.fileUpload.enabled'],
    ['viewer', 'GET', '/files?fileRef=none', 'rest.fileDownload.enabled'],
    ['clerk', 'GET', '/user-session?username=viewer', 'sessions.manage'],
    ['clerk', 'GET', '/clients', 'clients.manage'],
    ['clerk', 'GET', '/operations/processes', 'health.view'],
    ['clerk', 'GET', '/rights/roles', 'rights.view'],
  ])('the refusal of %s, %s %s, names the specific policy %s', async (user, method, path, policy) => {
    const response = await as(user, method, path, method === 'POST' ? { body: 'x' } : {});
    expect([response.status, response.headers.get('x-needed-policy')]).toEqual([403, policy]);
    expect((await needed(user, `specific=${policy}`)).json()).toMatchObject({ isGranted: false });
  });

  // Asserts contract/errors.md#needed-policy.
  test('so does a refusal of the API and of reports; that of an entity does not', async () => {
    const policyOf = ({ status, headers }: Awaited<ReturnType<typeof as>>) => [status, headers.get('x-needed-policy')];
    const { token: nothing } = await newUser([], []);
    expect(policyOf(await call(nothing, 'GET', '/userInfo'))).toEqual([403, 'rest.enabled']);
    const { token } = await newUser(['rest-minimal'], []);
    expect(policyOf(await call(token, 'GET', '/reports/list'))).toEqual([403, 'reports.rest.enabled']);
    expect(policyOf(await call(token, 'GET', '/entities/sales_Order'))).toEqual([403, null]);
  });

  // Asserts contract/rights.md#needed.
  test.each([
    ['entityName=none_None&action=read', 404, 'none_None'],
    ['entityName=sales_Order', 400, 'action is missing'],
    ['entityName=sales_Order&action=all', 400, 'action must be one of create, read, update, delete'],
    ['', 400, 'entityName is missing'],
    ['specific=a&action=read', 400, 'specific excludes entityName and action'],
  ])('a question for %s is %s, naming what is wrong', async (parameters, status, details) => {
    const response = await needed('viewer', parameters);
    expect([response.status, response.json().details]).toEqual([status, expect.stringContaining(details)]);
  });
});
