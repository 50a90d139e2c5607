import { queryPolicy, readRowPolicy, rowLevelRole } from '@lintel/security';
import { type DataFixture, startData } from '../data-fixture.ts';
import { shop } from '../shop-application.ts';

const CUSTOMERS = 40;
const PATH = '{E}.address.country';
/** Conditions that a row without a value would match if null were a value. */
const NEGATIONS = [
  `${PATH} <> :current_user_country`,
  `not (${PATH} = :current_user_country)`,
  `${PATH} not in (:current_user_country)`,
  `${PATH} not like :current_user_country`,
  `not (${PATH} in ('FR', :current_user_country))`,
];
const stored = { entityName: 't_Customer', action: 'read', joinClause: null };
const application = {
  ...shop,
  rowRoles: new Map([
    ...shop.rowRoles,
    ...NEGATIONS.flatMap((text, at) => [
      [
        `query-${at}`,
        rowLevelRole(`query-${at}`, { name: text, policies: [queryPolicy('t_Customer', text)] }),
      ] as const,
      [
        `predicate-${at}`,
        rowLevelRole(`predicate-${at}`, {
          name: text,
          policies: [readRowPolicy(shop.model, { ...stored, type: 'predicate', whereClause: null, script: text })],
        }),
      ] as const,
    ]),
    [
      'promise',
      rowLevelRole('promise', {
        name: 'Code that no compiler has checked',
        policies: [
          {
            kind: 'predicate',
            entity: 't_Customer',
            actions: ['read'],
            dependsOn: ['name'],
            test: (async () => false) as never,
          },
        ],
      }),
    ],
  ]),
};
const full = ['system-full-access'];

let data: DataFixture;
beforeAll(async () => {
  data = await startData(application, {
    ...Object.fromEntries(
      [...application.rowRoles.keys()].map((code) => [code, { resourceRoles: full, rowLevelRoles: [code] }]),
    ),
    admin: { resourceRoles: full },
    restricted: { resourceRoles: full, rowLevelRoles: ['own-country'], attributes: { country: 'DE' } },
    renamed: { resourceRoles: full, rowLevelRoles: ['own-country-old'], attributes: { country: 'DE' } },
    both: { resourceRoles: full, rowLevelRoles: ['own-country', 'own-country-old'], attributes: { country: 'DE' } },
    stateless: { resourceRoles: full, rowLevelRoles: ['own-country'] },
    shouted: { resourceRoles: full, rowLevelRoles: ['Own-Country'], attributes: { country: 'DE' } },
    nothing: { resourceRoles: ['no-such-role'] },
    shouting: { resourceRoles: ['System-Full-Access', 'CLERK', 'clerk '] },
  });
  await data.query(`INSERT INTO t.customer (id, version, name, address_country)
    SELECT ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid, 1, 'c' || i,
      CASE WHEN i % 5 < 2 THEN 'DE' WHEN i % 5 < 4 THEN 'FR' END
    FROM generate_series(1, ${CUSTOMERS}) i`);
  await data.query(`INSERT INTO t.tag (id, version, name) VALUES (gen_random_uuid(), 1, 'a tag')`);
});
afterAll(() => data?.close());

const count = async (user: string, entity: string, filter: object = {}) => {
  const query = encodeURIComponent(JSON.stringify(filter));
  return (await data.send(user, 'GET', `/entities/${entity}/search/count?filter=${query}`)).text;
};
const send = (user: string, method: string, path: string, body?: unknown) =>
  data.send(user, method, `/entities/${path}`, body);

describe('a caller with a row-level role that does not exist', () => {
  // A code is compared exactly: in another case it is another role.
  // Asserts contract/roles.md#definition.
  test.each(['renamed', 'both', 'shouted'])('sees no row of any entity: %s', async (user) => {
    expect(await count('restricted', 't_Customer')).toBe('16');
    for (const entity of ['t_Customer', 't_Tag', 'sec_User']) {
      expect(await count(user, entity)).toBe('0');
      expect((await send(user, 'GET', entity)).json()).toEqual([]);
    }
    expect((await send(user, 'GET', 't_Customer/00000000-0000-4000-8000-000000000001')).status).toBe(404);
  });

  test.each(['renamed', 'both', 'shouted'])('writes nothing: %s', async (user) => {
    const refused = [
      await send(user, 'POST', 't_Tag', { name: 'new' }),
      await send(user, 'PUT', 't_Customer/00000000-0000-4000-8000-000000000001', { name: 'x' }),
      await send(user, 'DELETE', 't_Customer/00000000-0000-4000-8000-000000000001'),
    ];
    for (const { status } of refused) expect([403, 404]).toContain(status);
    expect(await count('admin', 't_Tag')).toBe('1');
    expect(await count('admin', 't_Customer', { conditions: [{ property: 'name', operator: '=', value: 'c1' }] })).toBe(
      '1',
    );
  });
});

test('a row condition on an attribute that the session does not have hides every row, also rows without a value', async () => {
  expect(await count('stateless', 't_Customer')).toBe('0');
});

test.each(
  NEGATIONS.flatMap((text, at): [string, string][] => [
    [`query-${at}`, text],
    [`predicate-${at}`, text],
  ]),
)('negations hide every row, too: %s, %s', async (user) => {
  expect((await send(user, 'GET', 't_Customer?limit=100')).json()).toEqual([]);
});

test('a predicate that returns anything but true hides the row, for example a promise', async () => {
  expect((await send('promise', 'GET', 't_Customer?limit=100')).json()).toEqual([]);
});

// Asserts contract/roles.md#definition.
test.each(['nothing', 'shouting'])('an unknown resource role grants nothing: %s', async (user) => {
  expect((await send(user, 'GET', 't_Customer')).status).toBe(403);
});

describe('an assignment', () => {
  beforeAll(async () => {
    expect((await send('admin', 'POST', 'sec_User', { username: 'ada' })).status).toBe(201);
  });
  const assign = (roleCode: string, roleType: string) =>
    send('admin', 'POST', 'sec_RoleAssignment', { username: 'ada', roleCode, roleType });

  // Asserts contract/roles.md#definition.
  test.each([
    ['own-country-old', 'row-level'],
    ['no-such-role', 'resource'],
    // A role of the other type.
    ['clerk', 'row-level'],
    ['own-country', 'resource'],
    // A role in another case, and with a blank at its end.
    ['Clerk', 'resource'],
    ['clerk ', 'resource'],
    ['Own-Country', 'row-level'],
  ])('of the unknown role %s, %s, is refused', async (code, type) => {
    const { status, json } = await assign(code, type);
    expect([status, json()]).toEqual([
      400,
      [
        {
          message: expect.stringMatching(/^There is no role with this code( \(\S+\?\))?$/),
          messageTemplate: '{lintel.validation.RoleUnknown.message}',
          path: 'roleCode',
          invalidValue: code,
        },
      ],
    ]);
  });

  test('to an unknown user is refused, with an unknown role in one response', async () => {
    const body = { username: 'adda', roleCode: 'clrk', roleType: 'resource' };
    const { status, json } = await send('admin', 'POST', 'sec_RoleAssignment', body);
    expect([status, json().map(({ message, path }: Record<string, string>) => [path, message])]).toEqual([
      400,
      [
        ['roleCode', 'There is no role with this code (clerk?)'],
        ['username', 'There is no user with this name'],
      ],
    ]);
  });

  test('to anonymous needs no account', async () => {
    const body = { username: 'anonymous', roleCode: 'clerk', roleType: 'resource' };
    expect((await send('admin', 'POST', 'sec_RoleAssignment', body)).status).toBe(201);
  });

  test('of a role of the application or of the database is saved, and cannot be changed to an unknown role', async () => {
    expect((await assign('clerk', 'resource')).status).toBe(201);
    const role = { name: 'Stored', code: 'stored', rowLevelPolicies: [] };
    expect((await send('admin', 'POST', 'sec_RowLevelRole', role)).status).toBe(201);
    const saved = await assign('stored', 'row-level');
    expect(saved.status).toBe(201);
    const path = `sec_RoleAssignment/${saved.json().id}`;
    expect((await send('admin', 'PUT', path, { roleCode: 'stored-2' })).status).toBe(400);
    expect((await send('admin', 'PUT', path, { roleType: 'resource' })).status).toBe(400);
    expect((await send('admin', 'DELETE', path)).status).toBe(204);
  });
});

describe('assignments of a user', () => {
  const assignmentsOf = async (username: string) => {
    const filter = encodeURIComponent(
      JSON.stringify({ conditions: [{ property: 'username', operator: '=', value: username }] }),
    );
    const found = (await send('admin', 'GET', `sec_RoleAssignment/search?filter=${filter}&sort=roleCode`)).json();
    return found.map(({ roleCode }: { roleCode: string }) => roleCode);
  };
  const addUser = async (username: string, ...codes: readonly string[]) => {
    const { status, json } = await send('admin', 'POST', 'sec_User', { username });
    expect(status).toBe(201);
    for (const roleCode of codes)
      await send('admin', 'POST', 'sec_RoleAssignment', { username, roleCode, roleType: 'resource' });
    return `sec_User/${json().id}`;
  };

  test('are deleted with the user, so that a later user of that name does not get them', async () => {
    const path = await addUser('boss', 'system-full-access', 'clerk');
    expect(await assignmentsOf('boss')).toEqual(['clerk', 'system-full-access']);
    expect((await send('admin', 'DELETE', path)).status).toBe(204);
    expect(await assignmentsOf('boss')).toEqual([]);
  });

  test('follow a renamed user, and replace former assignments of the new name', async () => {
    const path = await addUser('jane', 'clerk');
    await data.query(`INSERT INTO sec.role_assignment (id, version, username, role_code, role_type)
      SELECT gen_random_uuid(), 1, 'janet', code, 'resource' FROM unnest(ARRAY['system-full-access', 'clerk']) code`);
    expect((await send('admin', 'PUT', path, { username: 'janet' })).status).toBe(200);
    expect([await assignmentsOf('jane'), await assignmentsOf('janet')]).toEqual([[], ['clerk']]);
  });

  test('of a role that does not exist any more do not prevent renaming the user', async () => {
    const path = await addUser('mary', 'clerk');
    await data.query(`INSERT INTO sec.role_assignment (id, version, username, role_code, role_type)
      VALUES (gen_random_uuid(), 1, 'mary', 'removed', 'row-level')`);
    expect((await send('admin', 'PUT', path, { username: 'marion' })).status).toBe(200);
    expect([await assignmentsOf('mary'), await assignmentsOf('marion')]).toEqual([[], ['clerk', 'removed']]);
  });

  test('of such a role cannot be changed to another role that does not exist', async () => {
    expect((await send('admin', 'POST', 'sec_User', { username: 'louis' })).status).toBe(201);
    await data.query(`INSERT INTO sec.role_assignment (id, version, username, role_code, role_type)
      VALUES ('00000000-0000-4000-8000-00000000abcd', 1, 'lou', 'removed', 'row-level')`);
    const change = async (body: object) =>
      (await send('admin', 'PUT', 'sec_RoleAssignment/00000000-0000-4000-8000-00000000abcd', body)).status;
    expect([
      await change({ username: 'louis' }),
      await change({ roleType: 'resource' }),
      await change({ roleCode: 'removed-2' }),
      await change({ roleCode: 'own-country' }),
      await change({ roleCode: 'removed' }),
    ]).toEqual([200, 400, 400, 200, 400]);
  });
});
