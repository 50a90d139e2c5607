import {
  buildModel,
  embeddable,
  embedded,
  integer,
  keyedEntity,
  standardEntity,
  string,
  toMany,
  toOne,
} from '@lintel/metadata';
import type { ResourcePolicy, RowPolicy } from './role.ts';
import {
  entityPolicy,
  modifyAttributes,
  predicatePolicy,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  specificPolicy,
  viewAttributes,
} from './role-builder.ts';
import { resourceRoleProblems, rowLevelRoleProblems } from './role-problems.ts';

const model = buildModel({
  entities: [
    embeddable('t_Address', { attributes: { city: string(10) } }),
    standardEntity('t_Owner', {
      attributes: { name: string(10), address: embedded('t_Address'), cars: toMany('t_Car', 'owner') },
    }),
    keyedEntity('t_Tag', { key: 'code', attributes: { code: string(10) } }),
    standardEntity('t_Car', {
      attributes: { tag: toOne('t_Tag'), vin: string(10), wheels: integer(), owner: toOne('t_Owner') },
    }),
  ],
});

const ofResource = (...policies: readonly (ResourcePolicy | readonly ResourcePolicy[])[]): readonly string[] =>
  resourceRoleProblems(model, resourceRole('r', { name: 'R', policies }));
const ofRows = (...policies: readonly RowPolicy[]): readonly string[] =>
  rowLevelRoleProblems(model, rowLevelRole('r', { name: 'R', policies }));

// Asserts contract/roles.md#definition.
test('policies of the application whose names exist have no problem', () => {
  expect(
    ofResource(
      entityPolicy('*', 'read'),
      entityPolicy('t_Car', 'all'),
      viewAttributes('*', '*'),
      viewAttributes('t_Car', '*', 'vin', 'id'),
      modifyAttributes('t_Car', 'vin'),
      specificPolicy('of.the.application'),
    ),
  ).toEqual([]);
});

test.each<[string, ResourcePolicy | readonly ResourcePolicy[], string]>([
  ['entity', entityPolicy('t_Cra', 'read'), 'policy on t_Cra: there is no entity t_Cra; did you mean t_Car?'],
  [
    'entity of an attribute',
    viewAttributes('t_Cra', 'vin'),
    "viewAttributes('t_Cra', 'vin'): there is no entity t_Cra; did you mean t_Car?",
  ],
  [
    'attribute',
    modifyAttributes('t_Car', 'vni'),
    "modifyAttributes('t_Car', 'vni'): t_Car has no attribute vni; did you mean vin?",
  ],
  [
    'attribute of all entities',
    viewAttributes('*', 'vin'),
    "viewAttributes('*', 'vin'): an attribute of all entities cannot be granted; name the entity, or *",
  ],
])('an unknown %s in a policy of the application is named once', (_kind, policy, problem) => {
  expect(ofResource(policy, policy)).toEqual([`Role r, ${problem}`]);
});

// Asserts contract/row-policies.md#policies.
test('row policies of the application whose names exist have no problem', () => {
  const test = () => true;
  expect(
    ofRows(
      queryPolicy('t_Car', "{E}.owner.address.city = 'x' and not ({E}.vin is null or {E}.wheels in (3, 4))"),
      queryPolicy('t_Car', "o.name = 'x'", {
        join: 'join {E}.owner o',
        actions: ['create', 'read', 'update', 'delete'],
      }),
      predicatePolicy('t_Car', {
        actions: ['delete'],
        dependsOn: ['vin', 'id', 'owner.id', 'owner.address.city', 'tag.id'],
        test,
      }),
    ),
  ).toEqual([]);
});

const predicate = (dependsOn: readonly string[]): RowPolicy =>
  predicatePolicy('t_Car', { actions: ['read'], dependsOn, test: () => true });
const ACTIONS = 'the actions of a row-level policy are create, read, update and delete';

test.each<[string, RowPolicy, readonly string[]]>([
  ['an unknown entity', queryPolicy('t_Cra', '1 = 1'), ['there is no stored entity t_Cra; did you mean t_Car?']],
  ['an entity that is not stored', queryPolicy('t_Address', '1 = 1'), ['there is no stored entity t_Address']],
  [
    'an unknown kind',
    { ...queryPolicy('t_Car', '1 = 1'), kind: 'script' } as unknown as RowPolicy,
    ['the kind of a row-level policy is query or predicate'],
  ],
  ['no action', queryPolicy('t_Car', '1 = 1', { actions: [] }), [ACTIONS]],
  ['an unknown action', queryPolicy('t_Car', '1 = 1', { actions: ['read', 'all' as 'read'] }), [ACTIONS]],
  [
    'an unknown action and an unknown attribute',
    queryPolicy('t_Car', "{E}.vni = 'x'", { actions: ['all' as 'read'] }),
    [ACTIONS, 't_Car has no attribute vni; did you mean vin?'],
  ],
  [
    'an unknown attribute in not',
    queryPolicy('t_Car', "not ({E}.vni = 'x')"),
    ['t_Car has no attribute vni; did you mean vin?'],
  ],
  [
    'an unknown attribute in or',
    queryPolicy('t_Car', "{E}.vin = 'x' or {E}.vni is null"),
    ['t_Car has no attribute vni; did you mean vin?'],
  ],
  [
    'an unknown attribute in in',
    queryPolicy('t_Car', "{E}.vni in ('x')"),
    ['t_Car has no attribute vni; did you mean vin?'],
  ],
  [
    'an unknown attribute in and',
    queryPolicy('t_Car', "{E}.vin = 'x' and {E}.vni = 'x'"),
    ['t_Car has no attribute vni; did you mean vin?'],
  ],
  ['the id of an embedded object', predicate(['owner.address.id']), ['t_Address has no attribute id']],
  [
    'a path after a value',
    queryPolicy('t_Car', "{E}.vin.x = 'x'"),
    ['vin.x leads nowhere: no reference or embedded object is before x'],
  ],
  [
    'an unknown attribute of a reference',
    predicate(['owner.nmae']),
    ['t_Owner has no attribute nmae; did you mean name? (owner.nmae)'],
  ],
  [
    'several unknown attributes',
    predicate(['vni', 'wheels.x']),
    [
      't_Car has no attribute vni; did you mean vin?',
      'wheels.x leads nowhere: no reference or embedded object is before x',
    ],
  ],
  ['a wrong parameter', queryPolicy('t_Car', '{E}.vin = :session_x'), ['there is no parameter :session_x']],
  ['a wrong value', queryPolicy('t_Car', "{E}.wheels = 'x'"), ['"x" is no value of type integer']],
  [
    'a text that is not a condition',
    queryPolicy('t_Car', 'return true'),
    ['Expected a condition, but found a value alone'],
  ],
])('a row policy of the application with %s has problems', (_case, policy, problems) => {
  expect(ofRows(policy)).toEqual(
    problems.map((problem) => expect.stringContaining(`Row-level role r, policy on ${policy.entity}: ${problem}`)),
  );
});

test('an entity that is not stored is not proposed', () => {
  expect(ofRows(queryPolicy('t_Address', '1 = 1'))).toEqual([
    'Row-level role r, policy on t_Address: there is no stored entity t_Address',
  ]);
});
