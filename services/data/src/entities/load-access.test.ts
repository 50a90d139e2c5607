import type { Principal } from '@lintel/contracts';
import { buildModel, standardEntity, string, toOne } from '@lintel/metadata';
import {
  createAccessDirectory,
  entityPolicy,
  queryPolicy,
  type RoleBook,
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

const bookOf = (version: string, ...policies: readonly RowPolicy[]): RoleBook => ({
  version,
  resourceRoles: new Map([['reader', reader]]),
  rowRoles: new Map([['rows', rowLevelRole('rows', { name: 'Rows', policies })]]),
});

const source = (...policies: readonly RowPolicy[]) => {
  const book = bookOf('1', ...policies);
  return createAccessSource(
    model,
    () => book,
    createAccessDirectory(() => book),
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

test('rights on an entity are none on those that extend it', () => {
  const ofParty = resourceRole('reader', {
    name: 'Reader',
    policies: [entityPolicy('t_Party', 'read'), viewAttributes('t_Party', '*')],
  });
  const book = { ...bookOf('1'), resourceRoles: new Map([['reader', ofParty]]) };
  const { read } = createAccessSource(
    model,
    () => book,
    createAccessDirectory(() => book),
  )(caller([]));
  const rightsOn = (entity: string) => [read.entity(entity).canRead, read.entity(entity).mayView('name')];
  expect([rightsOn('t_Party'), rightsOn('t_Person')]).toEqual([
    [true, true],
    [false, false],
  ]);
});

test('the conditions of several row-level roles all hold', () => {
  const book: RoleBook = {
    ...bookOf('1'),
    rowRoles: new Map([
      ['one', rowLevelRole('one', { name: 'One', policies: [queryPolicy('t_Person', '{E}.boss is null')] })],
      ['two', rowLevelRole('two', { name: 'Two', policies: [queryPolicy('t_Person', "{E}.name = 'x'")] })],
    ]),
  };
  const load = createAccessSource(
    model,
    () => book,
    createAccessDirectory(() => book),
  );
  const rowsFor = (...roles: string[]) => load(caller(roles)).read.entity('t_Person').rows;
  expect(rowsFor('one', 'two')).toEqual({ kind: 'and', conditions: [rowsFor('one'), rowsFor('two')] });
});

test('callers with other row-level roles have another fingerprint, equal callers one decision', () => {
  const load = source(queryPolicy('t_Person', '{E}.boss is null'));
  expect(load(caller(['rows'])).read).toBe(load(caller(['rows'])).read);
  expect(load(caller(['rows'])).read.fingerprint).not.toBe(load(caller([])).read.fingerprint);
});

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

test.each<[RowPolicy, string]>([
  [queryPolicy('t_Nothing', '{E}.x = 1'), 'policy on t_Nothing: there is no such stored entity'],
  [queryPolicy('t_Person', '{E}.name ='), 'policy on t_Person: Expected'],
  [queryPolicy('t_Person', '{E}.nothing = 1'), 'Property for t_Person not found: nothing'],
  [queryPolicy('t_Person', "{E}.boss = 'no id'"), 'is no value of type uuid'],
  [
    { kind: 'predicate', entity: 't_Person', actions: ['read'], dependsOn: ['boss.nothing'], test: () => true },
    't_Person has no attribute nothing (boss.nothing)',
  ],
])('a policy that does not fit the model stops the start: %#', (policy, message) => {
  expect(() => source(policy)).toThrow(message);
  expect(() => source(policy)).toThrow('Row-level role rows');
});

test('another book of roles decides anew, under another fingerprint', () => {
  let book = bookOf('1', queryPolicy('t_Party', "{E}.country = 'DE'"));
  const accessFor = createAccessSource(
    model,
    () => book,
    createAccessDirectory(() => book),
  );
  const before = accessFor(caller(['rows'])).read;
  expect(accessFor(caller(['rows'])).read).toBe(before);
  book = bookOf('2', queryPolicy('t_Party', "{E}.country = 'FR'"));
  const after = accessFor(caller(['rows'])).read;
  expect(after.fingerprint).not.toBe(before.fingerprint);
  expect(after.entity('t_Person').rows).not.toEqual(before.entity('t_Person').rows);
});
