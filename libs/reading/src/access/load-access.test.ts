import type { Principal } from '@lintel/contracts';
import { buildModel, standardEntity, string, toOne } from '@lintel/metadata';
import {
  createAccessDirectory,
  entityPolicy,
  predicatePolicy,
  queryPolicy,
  type RoleRegistry,
  type RowPolicy,
  resourceRole,
  rowLevelRole,
  viewAttributes,
} from '@lintel/security';
import { createAccessSource } from './load-access.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Party', { attributes: { name: string(50), country: string(2) } }),
    standardEntity('t_Person', { extends: 't_Party', attributes: { boss: toOne('t_Person') } }),
  ],
});
const reader = resourceRole('reader', {
  name: 'Reader',
  policies: [entityPolicy('t_Person', 'read'), viewAttributes('t_Person', 'name')],
});

const registryOf = (version: string, ...policies: readonly RowPolicy[]): RoleRegistry => ({
  version,
  resourceRoles: new Map([['reader', reader]]),
  rowRoles: new Map([['rows', rowLevelRole('rows', { name: 'Rows', policies })]]),
});

const source = (...policies: readonly RowPolicy[]) => {
  const registry = registryOf('1', ...policies);
  return createAccessSource(
    model,
    () => registry,
    createAccessDirectory(() => registry),
  );
};

const caller = (rowLevelRoles: readonly string[]): Principal => ({
  username: 'anna',
  kind: 'user',
  userId: 'u1',
  clientId: 'c',
  sessionId: 's',
  resourceRoles: ['reader'],
  rowLevelRoles,
  locale: 'de',
  attributes: { country: 'DE' },
  actingService: undefined,
});

// Asserts contract/row-policies.md#policies.
test('the rows of an entity keep the policies of its ancestors, too', () => {
  const load = source(
    queryPolicy('t_Party', '{E}.country = :current_user_country'),
    queryPolicy('t_Person', '{E}.boss is null'),
  );
  const { read } = load(caller(['rows']));
  expect(read.entity('t_Person')).toMatchObject({ canRead: true, rows: { kind: 'and', conditions: [{}, {}] } });
  expect(read.entity('t_Party')).toMatchObject({ canRead: false, rows: { kind: 'comparison' } });
  expect(read.entity('t_Person').mayView('name')).toBe(true);
  expect(read.entity('t_Person').mayView('boss')).toBe(false);
  expect(load(caller([])).read.entity('t_Person').rows).toBeUndefined();
});

// Asserts contract/roles.md#evaluation.
test('rights on an entity are none on those that extend it', () => {
  const ofParty = resourceRole('reader', {
    name: 'Reader',
    policies: [entityPolicy('t_Party', 'read'), viewAttributes('t_Party', '*')],
  });
  const registry = { ...registryOf('1'), resourceRoles: new Map([['reader', ofParty]]) };
  const { read } = createAccessSource(
    model,
    () => registry,
    createAccessDirectory(() => registry),
  )(caller([]));
  const rightsOn = (entity: string) => [read.entity(entity).canRead, read.entity(entity).mayView('name')];
  expect([rightsOn('t_Party'), rightsOn('t_Person')]).toEqual([
    [true, true],
    [false, false],
  ]);
});

// Asserts contract/row-policies.md#policies.
test('the conditions of several row-level roles all hold', () => {
  const registry: RoleRegistry = {
    ...registryOf('1'),
    rowRoles: new Map([
      ['one', rowLevelRole('one', { name: 'One', policies: [queryPolicy('t_Person', '{E}.boss is null')] })],
      ['two', rowLevelRole('two', { name: 'Two', policies: [queryPolicy('t_Person', "{E}.name = 'x'")] })],
    ]),
  };
  const load = createAccessSource(
    model,
    () => registry,
    createAccessDirectory(() => registry),
  );
  const rowsFor = (...roles: string[]) => load(caller(roles)).read.entity('t_Person').rows;
  expect(rowsFor('one', 'two')).toEqual({ kind: 'and', conditions: [rowsFor('one'), rowsFor('two')] });
});

// Asserts contract/decisions.md#73.
test('policies for writing alone hide nothing', () => {
  const load = source(
    queryPolicy('t_Person', '1 = 0', { actions: ['create', 'update', 'delete'] }),
    predicatePolicy('t_Person', { actions: ['delete'], dependsOn: [], test: () => false }),
    queryPolicy('t_Person', '{E}.boss is null', { actions: ['read', 'delete'] }),
  );
  const { rows, predicates } = load(caller(['rows'])).read.entity('t_Person');
  expect([rows?.kind, predicates]).toEqual(['null', []]);
});

// Asserts contract/row-policies.md#policies.
test('callers with other row-level roles have another fingerprint, equal callers one decision', () => {
  const load = source(queryPolicy('t_Person', '{E}.boss is null'));
  expect(load(caller(['rows'])).read).toBe(load(caller(['rows'])).read);
  expect(load(caller(['rows'])).read.fingerprint).not.toBe(load(caller([])).read.fingerprint);
});

// Asserts contract/row-policies.md#policies.
test('parameters of policies are what the caller is, and nothing where the caller has none', () => {
  const { sessionValue } = source()(caller([]));
  expect(
    ['current_user_country', 'current_user_username', 'current_user_id', 'current_locale'].map(sessionValue),
  ).toEqual(['DE', 'anna', 'u1', 'de']);
  expect(['current_user_password', 'current_user_constructor', 'session_country', 'other'].map(sessionValue)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

// Asserts contract/row-policies.md#policies.
test.each<[RowPolicy, string]>([
  [queryPolicy('t_Nothing', '{E}.x = 1'), 'policy on t_Nothing: there is no such stored entity'],
  [queryPolicy('t_Person', '{E}.name ='), 'policy on t_Person: Expected'],
  [queryPolicy('t_Person', '{E}.nothing = 1'), 't_Person has no attribute nothing'],
  [queryPolicy('t_Person', "{E}.boss = 'no id'"), 'is no value of type uuid'],
  [
    { kind: 'predicate', entity: 't_Person', actions: ['read'], dependsOn: ['boss.nothing'], test: () => true },
    't_Person has no attribute nothing (boss.nothing)',
  ],
])('a policy that does not fit the model stops the start: %#', (policy, message) => {
  expect(() => source(policy)).toThrow(message);
  expect(() => source(policy)).toThrow('Row-level role rows');
});

// Asserts contract/decisions.md#56, contract/roles.md#definition.
test('another registry of roles decides anew, under another fingerprint', () => {
  let registry = registryOf('1', queryPolicy('t_Party', "{E}.country = 'DE'"));
  const accessFor = createAccessSource(
    model,
    () => registry,
    createAccessDirectory(() => registry),
  );
  const before = accessFor(caller(['rows'])).read;
  expect(accessFor(caller(['rows'])).read).toBe(before);
  registry = registryOf('2', queryPolicy('t_Party', "{E}.country = 'FR'"));
  const after = accessFor(caller(['rows'])).read;
  expect(after.fingerprint).not.toBe(before.fingerprint);
  expect(after.entity('t_Person').rows).not.toEqual(before.entity('t_Person').rows);
});

test('an unknown row-level role hides every row of every entity, with any other roles', () => {
  const unknown: string[] = [];
  const registry = registryOf('1', queryPolicy('t_Person', '{E}.boss is null'));
  const load = createAccessSource(
    model,
    () => registry,
    createAccessDirectory(() => registry),
    (code) => unknown.push(code),
  );
  const nothing = { kind: 'constant', value: false };
  for (const roles of [['renamed'], ['rows', 'renamed'], ['renamed', 'rows', 'gone']]) {
    const { read } = load(caller(roles));
    for (const entity of ['t_Person', 't_Party', 'sec_User']) expect(read.entity(entity).rows).toEqual(nothing);
    expect(read.fingerprint).not.toBe(load(caller(['rows'])).read.fingerprint);
    expect(read.fingerprint).not.toBe(load(caller([])).read.fingerprint);
  }
  expect(load(caller(['rows'])).read.entity('t_Person').rows).not.toEqual(nothing);
  expect(unknown).toEqual(['renamed', 'gone']);
});

test('a role that leaves the registry hides everything from then on, and one that comes back counts again', () => {
  let registry = registryOf('1', queryPolicy('t_Person', '{E}.boss is null'));
  const load = createAccessSource(
    model,
    () => registry,
    createAccessDirectory(() => registry),
  );
  const rows = () => load(caller(['rows'])).read.entity('t_Person').rows;
  const before = rows();
  registry = { ...registryOf('2'), rowRoles: new Map() };
  expect(rows()).toEqual({ kind: 'constant', value: false });
  registry = registryOf('3', queryPolicy('t_Person', '{E}.boss is null'));
  expect(rows()).toEqual(before);
});

test.each<[string, RowPolicy, string]>([
  [
    'a kind that does not exist',
    { kind: 'deny', entity: 't_Person', where: '1 = 1' } as unknown as RowPolicy,
    'the kind of a row-level policy is query or predicate',
  ],
  [
    'an action that does not exist',
    { kind: 'predicate', entity: 't_Person', actions: ['view'] as never, dependsOn: [], test: () => true },
    'the actions of a row-level policy are create, read, update and delete',
  ],
  [
    'an action of a query that does not exist',
    queryPolicy('t_Person', '1 = 1', { actions: ['all'] as never }),
    'the actions of a row-level policy are create, read, update and delete',
  ],
  [
    'a condition on creating that does not fit the model',
    queryPolicy('t_Person', '{E}.nothing = 1', { actions: ['create'] }),
    't_Person has no attribute nothing',
  ],
  [
    'a predicate on creating that does not fit the model',
    predicatePolicy('t_Person', { actions: ['create'], dependsOn: ['nothing'], test: () => true }),
    't_Person has no attribute nothing',
  ],
  [
    'no action',
    { kind: 'predicate', entity: 't_Person', actions: [], dependsOn: [], test: () => true },
    'the actions of a row-level policy are create, read, update and delete',
  ],
])('a policy with %s stops the start', (_, policy, message) => {
  expect(() => source(policy)).toThrow(message);
});
