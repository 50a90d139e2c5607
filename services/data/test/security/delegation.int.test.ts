import { defineApplication } from '@lintel/application';
import { compositionOfOne, standardEntity, string, toOne } from '@lintel/metadata';
import {
  entityPolicy,
  modifyAttributes,
  queryPolicy,
  requireAcr,
  resourceRole,
  rowLevelRole,
  specificPolicy,
  viewAttributes,
} from '@lintel/security';
import { type DataFixture, startData, startDataOn, type TestUser } from '../data-fixture.ts';

const MANAGE = ['passwords.manage', 'second-factors.manage', 'sessions.manage', 'api-keys.manage', 'clients.manage'];
const allOf = (...entities: readonly string[]) => entities.map((entity) => entityPolicy(entity, 'all'));
const administers = [
  ...allOf('sec_User', 'sec_RoleAssignment', 't_Employee'),
  ...allOf('sec_ResourceRole', 'sec_ResourcePolicy', 'sec_RowLevelRole', 'sec_RowLevelPolicy'),
  ...MANAGE.map((name) => specificPolicy(name)),
  ...['sec_User', 'sec_RoleAssignment', 't_Employee', 'sec_ResourceRole', 'sec_ResourcePolicy'].map((entity) =>
    modifyAttributes(entity, '*'),
  ),
  ...['sec_RowLevelRole', 'sec_RowLevelPolicy'].map((entity) => modifyAttributes(entity, '*')),
];

const application = defineApplication({
  id: 't',
  name: 'Documents',
  entities: [
    standardEntity('t_Document', { attributes: { title: string(100) } }),
    standardEntity('t_Employee', { attributes: { name: string(100), account: compositionOfOne('sec_User') } }),
    standardEntity('t_Note', { attributes: { text: string(100), document: toOne('t_Document') } }),
  ],
  roles: [
    resourceRole('administrator', { name: 'Administrator', policies: administers }),
    resourceRole('clerk', {
      name: 'Clerk',
      policies: [entityPolicy('t_Document', 'read'), viewAttributes('t_Document', '*')],
    }),
    resourceRole('manager', {
      name: 'Manager',
      policies: [entityPolicy('t_Document', 'read', 'delete'), specificPolicy('reports.sql.edit')],
    }),
    resourceRole('screens', { name: 'Screens', scopes: ['UI'], policies: [entityPolicy('t_Note', 'read')] }),
    resourceRole('careful', {
      name: 'Careful',
      policies: [requireAcr('urn:lintel:acr:2fa', entityPolicy('t_Note', 'delete'))],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('own', {
      name: 'Own documents',
      policies: [queryPolicy('t_Document', '{E}.createdBy = :current_user_username')],
    }),
    rowLevelRole('own-country', {
      name: 'Documents of the own country',
      policies: [queryPolicy('t_Document', '{E}.title = :current_user_country')],
    }),
    rowLevelRole('new', { name: 'New documents', policies: [queryPolicy('t_Document', `{E}.title = 'new'`)] }),
  ],
});

const BASE = ['rest-minimal', 'administrator', 'clerk'];
const OWN_ID = '0198a000-0000-7000-8000-000000000001';
const USERS = {
  root: { resourceRoles: ['system-full-access'] },
  ada: { resourceRoles: BASE, userId: OWN_ID },
  ruled: { resourceRoles: BASE, rowLevelRoles: ['own'] },
  national: { resourceRoles: BASE, rowLevelRoles: ['own-country'] },
  bound: { resourceRoles: BASE, rowLevelRoles: ['new'] },
  screen: { resourceRoles: [...BASE, 'screens'] },
  careful: { resourceRoles: [...BASE, 'careful'], acr: 'urn:lintel:acr:1fa' },
} as const;

let data: DataFixture;
/** Requests to auth. */
const calls: object[] = [];
const ids = new Map<string, string>();
const as = (user: string, method: string, path: string, body?: unknown) =>
  data.send(user, method, `/entities/${path}`, body);
const assignmentOf = (username: string, roleCode: string, roleType = 'resource') => ({ username, roleCode, roleType });

async function create(path: string, body: object): Promise<string> {
  const response = await as('root', 'POST', path, body);
  if (response.status !== 201) throw new Error(response.text);
  return response.json().id;
}

beforeAll(async () => {
  data = await startData(application, USERS, {}, undefined, {
    authAdministration: {
      async call(operation, request) {
        calls.push({ operation, ...request });
        // The id of a client is the name of its maker.
        if (operation === 'clients/get') return { createdBy: (request as { clientId: string }).clientId };
        const username = JSON.stringify(request).includes('max') ? 'max' : 'clara';
        return operation.endsWith('/owner') ? { username } : {};
      },
    },
  });
  const users = {
    ada: BASE,
    clara: ['clerk'],
    max: ['clerk', 'manager'],
    ruth: ['clerk'],
    sue: ['screens'],
    rita: ['clerk'],
  };
  for (const [username, roles] of Object.entries(users)) {
    ids.set(username, await create('sec_User', { ...(username === 'ada' && { id: OWN_ID }), username }));
    for (const role of roles)
      ids.set(`${username}/${role}`, await create('sec_RoleAssignment', assignmentOf(username, role)));
  }
  ids.set('ruth/own', await create('sec_RoleAssignment', assignmentOf('ruth', 'own', 'row-level')));
  await create('sec_RoleAssignment', assignmentOf('ruth', 'own-country', 'row-level'));
  await create('sec_RoleAssignment', assignmentOf('rita', 'new', 'row-level'));
  const policy = { type: 'entity', resource: 't_Document', effect: 'allow' };
  ids.set('small', await create('sec_ResourceRole', { name: 'Small', code: 'small', scopes: ['API'] }));
  ids.set('large', await create('sec_ResourceRole', { name: 'Large', code: 'large', scopes: ['API'] }));
  ids.set(
    'policy',
    await create('sec_ResourcePolicy', { ...policy, action: 'delete', role: { id: ids.get('large') } }),
  );
  ids.set('rows', await create('sec_RowLevelRole', { name: 'Rows', code: 'rows' }));
  const rule = { type: 'query', entityName: 't_Note', whereClause: '1 = 1', role: { id: ids.get('rows') } };
  ids.set('rule', await create('sec_RowLevelPolicy', rule));
  ids.set('employee', await create('t_Employee', { name: 'Max', account: { username: 'max2' } }));
  const [account] = await data.query(`SELECT id FROM sec."user" WHERE username = 'max2'`);
  ids.set('max2', String(account?.['id']));
  await create('sec_RoleAssignment', assignmentOf('max2', 'manager'));
});
afterAll(() => data?.close());

const startWith = (users: Readonly<Record<string, TestUser>>, properties: Readonly<Record<string, string>> = {}) =>
  startDataOn({ url: data.databaseUrl, query: data.query }, application, users, properties);
const id = (name: string): string => ids.get(name) ?? name;
const MISSING = 'entity t_Document (read, delete); specific reports.sql.edit';
/** A refusal that changes nothing; the tables are compared as they are. */
async function expectRefused(sent: () => ReturnType<DataFixture['send']>, text: string): Promise<void> {
  const tables = ['user', 'role_assignment', 'resource_role', 'resource_policy', 'row_level_role', 'row_level_policy'];
  const rows = async () =>
    Promise.all(tables.map((table) => data.query(`SELECT t::text AS row FROM sec."${table}" AS t ORDER BY 1`)));
  const before = await rows();
  const response = await sent();
  expect([response.status, response.json().details]).toEqual([403, expect.stringContaining(text)]);
  expect(await rows()).toEqual(before);
}

describe('a caller with a part of the rights cannot get more', () => {
  const assign = (roleCode: string, username = 'clara') => assignmentOf(username, roleCode);
  const policy = (action: string) => ({ type: 'entity', resource: 't_Document', action, effect: 'allow' });
  // Asserts contract/roles.md#delegation.
  test.each<[string, () => Parameters<typeof as>, string]>([
    ['a role for others', () => ['ada', 'POST', 'sec_RoleAssignment', assign('manager')], MISSING],
    [
      'full access for itself',
      () => ['ada', 'POST', 'sec_RoleAssignment', assign('system-full-access', 'ada')],
      '(create',
    ],
    ['several roles', () => ['ada', 'POST', 'sec_RoleAssignment', [assign('small'), assign('manager')]], MISSING],
    [
      'another role in an assignment',
      () => ['ada', 'PUT', `sec_RoleAssignment/${id('clara/clerk')}`, { roleCode: 'manager' }],
      MISSING,
    ],
    [
      'the assignment of somebody else',
      () => ['ada', 'PUT', `sec_RoleAssignment/${id('max/manager')}`, { username: 'ada' }],
      MISSING,
    ],
    ['a role of somebody with more', () => ['ada', 'DELETE', `sec_RoleAssignment/${id('max/clerk')}`], MISSING],
    ['several deletions', () => ['ada', 'DELETE', 'sec_RoleAssignment', [id('clara/clerk'), id('max/clerk')]], MISSING],
    [
      'the password of somebody with more',
      () => ['ada', 'PUT', `sec_User/${id('max')}`, { password: 'x1y2z3-long!' }],
      MISSING,
    ],
    [
      'an e-mail by JSON patch',
      () => [
        'ada',
        'PUT',
        'sec_User',
        [
          { id: id('clara'), email: 'c@t.de' },
          { id: id('max'), email: 'a@t.de' },
        ],
      ],
      MISSING,
    ],
    ['somebody with more is deleted', () => ['ada', 'DELETE', `sec_User/${id('max')}`], MISSING],
    [
      'a part of an instance of the application',
      () => ['ada', 'PUT', `t_Employee/${id('employee')}`, { account: { id: id('max2'), email: 'a@t.de' } }],
      MISSING,
    ],
    ['somebody with more is deleted with an owner', () => ['ada', 'DELETE', `t_Employee/${id('employee')}`], MISSING],
    ['the same in a batch', () => ['ada', 'DELETE', 't_Employee', [id('employee')]], MISSING],
    ['a user of other programs', () => ['ada', 'PUT', `sec_User/${id('sue')}`, { email: 'a@t.de' }], 't_Note (read)'],
    [
      'a new role with policies',
      () => ['ada', 'POST', 'sec_ResourceRole', { name: 'N', code: 'n', resourcePolicies: [policy('delete')] }],
      'entity t_Document (delete)',
    ],
    [
      'a wider role, a child role',
      () => ['ada', 'PUT', `sec_ResourceRole/${id('small')}`, { childRoles: ['manager'] }],
      MISSING,
    ],
    [
      'a policy in a role',
      () => ['ada', 'POST', 'sec_ResourcePolicy', { ...policy('create'), role: { id: id('small') } }],
      'entity t_Document (create)',
    ],
    ['a role with more is changed', () => ['ada', 'PUT', `sec_ResourceRole/${id('large')}`, { name: 'L' }], '(delete)'],
    ['a policy that it lacks is removed', () => ['ada', 'DELETE', `sec_ResourcePolicy/${id('policy')}`], '(delete)'],
    [
      'a policy moves to another role',
      () => ['ada', 'PUT', `sec_ResourcePolicy/${id('policy')}`, { role: { id: id('small') } }],
      '(delete)',
    ],
    [
      'a rule on rows that it may not read',
      () => ['ada', 'DELETE', `sec_RowLevelPolicy/${id('rule')}`],
      't_Note (read)',
    ],
    ['the same by its role', () => ['ada', 'DELETE', `sec_RowLevelRole/${id('rows')}`], 't_Note (read)'],
    ['rights without the own restriction', () => ['ruled', 'POST', 'sec_RoleAssignment', assign('small')], 'own'],
    [
      'the password of an unrestricted user',
      () => ['ruled', 'PUT', `sec_User/${id('clara')}`, { password: 'x1y2z3-long!' }],
      'own',
    ],
    [
      'the password of a user to whom the same role shows other rows',
      () => ['ruled', 'PUT', `sec_User/${id('ruth')}`, { password: 'x1y2z3-long!' }],
      'own',
    ],
    [
      'an attribute of another user, on which rules depend',
      () => ['national', 'PUT', `sec_User/${id('ruth')}`, { country: 'FR' }],
      'own-country',
    ],
    [
      'somebody with more rows is restricted',
      () => ['ruled', 'POST', 'sec_RoleAssignment', assignmentOf('clara', 'own', 'row-level')],
      'own',
    ],
    ['a restriction is lifted', () => ['ruled', 'DELETE', `sec_RoleAssignment/${id('ruth/own')}`], 'own'],
    ['a role by a restricted caller', () => ['ruled', 'PUT', `sec_ResourceRole/${id('small')}`, { name: 'S' }], 'own'],
  ])('%s', (_title, request, text) => expectRefused(() => as(...request()), text));

  // Asserts contract/roles.md#delegation.
  test.each([
    ['POST', '/user-session/password-change?username=max'],
    ['DELETE', '/user-session/second-factors?username=max'],
    ['DELETE', '/user-session/second-factors/0198a000-0000-7000-8000-00000000000f?username=max'],
    ['DELETE', '/user-session?username=max'],
    ['DELETE', '/user-session/a-session-of-max'],
    ['DELETE', '/api-keys/a-key-of-max'],
    ['DELETE', '/user-session/consents/web?username=max'],
  ])('%s %s is refused for a user with more rights', async (method, path) => {
    await expectRefused(() => data.send('ada', method, path), MISSING);
    expect((await data.send('root', method, path)).status).not.toBe(403);
    expect((await data.send('ada', method, path.replace('max', 'clara'))).status).not.toBe(403);
  });

  test('what a stronger login of the caller has needs that login', async () => {
    const sent = await as('careful', 'POST', 'sec_RoleAssignment', assignmentOf('clara', 'careful'));
    expect([sent.status, sent.json().error]).toEqual([401, 'insufficient_user_authentication']);
  });
});

// Asserts contract/roles.md#delegation.
test('what the caller has can be given, changed and taken', async () => {
  const username = 'new';
  const created = await as('ada', 'POST', 'sec_User', { username, password: 'x1y2z3-long!' });
  expect(created.status).toBe(201);
  const assigned = await as('ada', 'POST', 'sec_RoleAssignment', assignmentOf(username, 'clerk'));
  expect(assigned.status).toBe(201);
  const path = `sec_User/${created.json().id}`;
  expect((await as('ada', 'PUT', path, { email: 'n@t.de', active: false })).status).toBe(200);
  const policy = { type: 'entity', resource: 't_Document', action: 'read', effect: 'allow' };
  const role = { name: 'Reader', code: 'reader', scopes: ['API'], childRoles: ['clerk'], resourcePolicies: [policy] };
  expect((await as('ada', 'POST', 'sec_ResourceRole', role)).status).toBe(201);
  const rule = { type: 'query', entityName: 't_Document', whereClause: '1 = 1' };
  expect((await as('ada', 'POST', 'sec_RowLevelRole', { name: 'R', code: 'r', rowLevelPolicies: [rule] })).status).toBe(
    201,
  );
  expect((await as('ada', 'DELETE', `sec_RoleAssignment/${assigned.json().id}`)).status).toBe(204);
  expect((await as('ada', 'DELETE', path)).status).toBe(204);
  // Both have the row-level role.
  expect((await as('bound', 'PUT', `sec_User/${id('rita')}`, { email: 'r@t.de' })).status).toBe(200);
  // Roles of other programs count among themselves.
  expect((await as('screen', 'PUT', `sec_User/${id('sue')}`, { email: 's@t.de' })).status).toBe(200);
});

// Asserts contract/clients.md#trust.
test('auth hears whether the caller has the rights of the maker of a client', async () => {
  for (const [user, maker, expected] of [
    ['ada', 'clara', true],
    ['ada', 'ada', true],
    ['ada', 'dynamic registration', true],
    ['ada', 'max', false],
    ['ada', 'no-such-user', false],
    ['ruled', 'clara', false],
  ] as const)
    for (const [method, path] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/secrets'],
      ['DELETE', '/secrets/s'],
    ] as const) {
      await data.send(user, method, `/clients/${encodeURIComponent(maker)}${path}`, {});
      expect([user, calls.at(-1)]).toMatchObject([user, { caller: { coversMaker: expected, isUnlimited: false } }]);
    }
  await data.send('root', 'PUT', '/clients/max', {});
  expect(calls.slice(-2)).toMatchObject([{ caller: { username: 'ruled' } }, { caller: { isUnlimited: true } }]);
});

// Asserts contract/roles.md#delegation.
test('the own user stays free, except what row rules may depend on', async () => {
  expect((await as('ada', 'PUT', `sec_User/${OWN_ID}`, { password: 'x1y2z3-long!', country: 'DE' })).status).toBe(200);
  const restricted = await startWith({ ada: { ...USERS.ruled, userId: OWN_ID } });
  try {
    const send = (body: object) => restricted.send('ada', 'PUT', `/entities/sec_User/${OWN_ID}`, body);
    expect((await send({ country: 'FR' })).json().details).toContain('may change only the own password');
    expect((await send({ email: 'ada@t.de' })).status).toBe(200);
  } finally {
    await restricted.close();
  }
});

// Asserts contract/roles.md#delegation.
test('svc.security.delegation=unlimited is the behaviour of the reference, with a warning', async () => {
  const unlimited = await startWith(USERS, { 'svc.security.delegation': 'unlimited' });
  try {
    const assigned = await unlimited.send(
      'ada',
      'POST',
      '/entities/sec_RoleAssignment',
      assignmentOf('clara', 'manager'),
    );
    expect(assigned.status).toBe(201);
    await unlimited.service.start();
    expect(JSON.stringify(unlimited.warnings)).toContain('svc.security.delegation=unlimited');
  } finally {
    await unlimited.close();
  }
});

// Asserts contract/roles.md#delegation.
test('the start names the roles that lose something', async () => {
  await data.service.start();
  const warned = JSON.stringify(data.warnings);
  expect(warned).toMatch(/svc\.security\.delegation=bounded[^"]*administrator/);
  expect(warned).not.toMatch(/svc\.security\.delegation=bounded[^"]*(clerk|system-full-access)/);
});
