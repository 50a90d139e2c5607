import { defineApplication, restMethod, service, t } from '@lintel/application';
import { enumeration, enumOf, integer, standardEntity, string, toOne } from '@lintel/metadata';
import {
  entityPolicy,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  specificPolicy,
  viewAttributes,
} from '@lintel/security';
import { type DataFixture, startData } from '../data-fixture.ts';

const Rank = enumeration('w.Rank', { JUNIOR: 1, SENIOR: 2 });
const application = defineApplication({
  id: 'w',
  name: 'Warehouses',
  enums: [Rank],
  entities: [
    standardEntity('w_Branch', { attributes: { name: string(40) } }),
    standardEntity('w_Order', {
      attributes: { number: integer(), branch: toOne('w_Branch'), region: string(10), rank: enumOf(Rank) },
    }),
  ],
  userAttributes: { region: string(10), level: integer(), rank: enumOf(Rank), branch: toOne('w_Branch') },
  sessionAttributes: { warehouse: 'uuid', level: 'int' },
  roles: [
    resourceRole('clerk', {
      name: 'Clerk',
      policies: [entityPolicy('*', 'read'), viewAttributes('*', '*'), specificPolicy('rest.enabled')],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('of-branch', {
      name: 'b',
      policies: [queryPolicy('w_Order', '{E}.branch.id = :current_user_branch')],
    }),
    rowLevelRole('of-branch-id', {
      name: 'i',
      policies: [queryPolicy('w_Order', '{E}.branch.id = :current_user_branch_id')],
    }),
    rowLevelRole('of-level', { name: 'l', policies: [queryPolicy('w_Order', '{E}.number <= :current_user_level')] }),
    rowLevelRole('of-rank', { name: 'r', policies: [queryPolicy('w_Order', '{E}.rank = :current_user_rank')] }),
    rowLevelRole('of-session', { name: 's', policies: [queryPolicy('w_Order', '{E}.branch.id = :session_warehouse')] }),
  ],
  services: [
    service('w_Session', {
      choose: restMethod(
        { params: { warehouse: t.string.optional() }, returns: t.int },
        async ({ warehouse }, { session, data }) => {
          await session.set('warehouse', warehouse ?? null);
          return (await data.loadList('w_Order', {})).length;
        },
      ),
      chosen: restMethod({ returns: t.string }, (_, { session }) => String(session.get('warehouse') ?? 'none')),
      unknown: restMethod({}, (_, { session }) => session.set('warehose', 'x')),
    }),
  ],
});

const BRANCH = '00000000-0000-4000-8000-00000000000a';
const OTHER = '00000000-0000-4000-8000-00000000000b';
const clerk = (role: string, userColumns?: Record<string, string | null>) => ({
  resourceRoles: ['clerk'],
  rowLevelRoles: [role],
  userId: OTHER,
  ...(userColumns === undefined ? {} : { userColumns }),
});
const COLUMNS = { region: 'north', level: '1', rank: '2', branch_id: BRANCH, forgotten: 'x' };

let data: DataFixture;
beforeAll(async () => {
  data = await startData(application, {
    admin: { resourceRoles: ['system-full-access'] },
    branch: clerk('of-branch', COLUMNS),
    branchId: clerk('of-branch-id', COLUMNS),
    level: clerk('of-level', COLUMNS),
    rank: clerk('of-rank', COLUMNS),
    none: clerk('of-branch', { ...COLUMNS, branch_id: null }),
    session: clerk('of-session'),
    everyone: { ...clerk('of-session'), kind: 'anonymous' },
  });
  for (const id of [BRANCH, OTHER])
    expect((await data.send('admin', 'POST', '/entities/w_Branch', { id, name: id })).status).toBe(201);
  for (const [number, id, rank] of [
    [1, BRANCH, 'SENIOR'],
    [2, OTHER, 'JUNIOR'],
  ] as const) {
    const order = { number, branch: { id }, rank };
    expect((await data.send('admin', 'POST', '/entities/w_Order', order)).status).toBe(201);
  }
});
afterAll(() => data?.close());

const orders = async (user: string): Promise<readonly number[]> =>
  (await data.send(user, 'GET', '/entities/w_Order?sort=number'))
    .json()
    .map((order: { number: number }) => order.number);
const call = (user: string, method: string, body: object = {}) =>
  data.send(user, 'POST', `/services/w_Session/${method}`, body);

test.each(['branch', 'branchId', 'level', 'rank'])('row rules use own attributes of users: %s', async (user) => {
  expect(await orders(user)).toEqual([1]);
});

test('a user without a value sees no row', async () => {
  expect(await orders('none')).toEqual([]);
});

test('the own attributes are in the data of the caller, references as their ids', async () => {
  expect((await data.send('branch', 'GET', '/userInfo')).json().attributes).toEqual({
    region: 'north',
    level: 1,
    rank: 'SENIOR',
    branch: { id: BRANCH },
  });
});

test('users have the attributes through the API, in columns of their table', async () => {
  const user = { username: 'ada', region: 'south', branch: { id: BRANCH }, rank: 'JUNIOR' };
  const created = await data.send('admin', 'POST', '/entities/sec_User', user);
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  const path = `/entities/sec_User/${created.json().id}?fetchPlan=${encodeURIComponent('{"entity":"sec_User","properties":["region","branch"]}')}`;
  expect((await data.send('admin', 'GET', path)).json()).toMatchObject({ region: 'south', branch: { id: BRANCH } });
  expect(await data.query(`SELECT region, branch_id, rank FROM sec."user" WHERE username = 'ada'`)).toEqual([
    { region: 'south', branch_id: BRANCH, rank: 1 },
  ]);
});

test('a session attribute limits the rows from its change on, in the same call and later', async () => {
  expect(await orders('session')).toEqual([]);
  expect((await call('session', 'choose', { warehouse: OTHER })).text).toBe('1');
  expect(await orders('session')).toEqual([2]);
  expect((await call('session', 'chosen')).text).toBe(OTHER);
  expect((await call('session', 'choose')).text).toBe('0');
  expect(await orders('session')).toEqual([]);
  expect((await call('session', 'chosen')).text).toBe('none');
});

test('a value of another datatype is refused by name; an undeclared attribute is an error of the application', async () => {
  const refused = await call('session', 'choose', { warehouse: 'north' });
  expect([refused.status, refused.json().details]).toEqual([
    400,
    'The session attribute warehouse cannot have this value: expected uuid',
  ]);
  expect((await call('session', 'unknown')).status).toBe(500);
  expect(JSON.stringify(data.errors, (_, each) => (each instanceof Error ? each.message : each))).toContain(
    'The session attribute warehose is not declared',
  );
});
