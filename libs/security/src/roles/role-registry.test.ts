import { buildModel, standardEntity, string, toOne } from '@lintel/metadata';
import {
  buildAccess,
  predicatePolicy,
  queryPolicy,
  type ResourcePolicy,
  resourceRole,
  resourceRoleProblems,
  roleReader,
  rowLevelRole,
  specificPolicy,
  unknownRowRoles,
} from '../index.ts';
import type { StoredRoles } from './stored-roles.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Owner', { attributes: { country: string(2) } }),
    standardEntity('t_Thing', { attributes: { name: string(50), owner: toOne('t_Owner') } }),
  ],
});
const application = {
  model,
  resourceRoles: new Map([['own', resourceRole('own', { name: 'Own', policies: [specificPolicy('x')] })]]),
  rowRoles: new Map([['rows', rowLevelRole('rows', { name: 'Rows', policies: [] })]]),
};
const role = (
  code: string,
  ...policies: StoredRoles['resourceRoles'][number]['policies']
): StoredRoles['resourceRoles'][number] => ({
  code,
  name: code,
  description: null,
  scopes: ['API'],
  childRoles: [],
  policies,
});
const policy = (type: string, resource: string, action: string, effect = 'allow') => ({
  type,
  resource,
  action,
  effect,
});
const rows = (type: string, entityName: string, text: string, action = 'read') => ({
  type,
  entityName,
  action,
  whereClause: type === 'query' ? text : null,
  joinClause: null,
  script: type === 'predicate' ? text : null,
});

function read(body: StoredRoles) {
  const problems: string[] = [];
  const registry = roleReader(application)({ version: 'v', body }, (problem) => problems.push(problem));
  return { registry, problems };
}
const withRoles = (...resourceRoles: StoredRoles['resourceRoles']) => read({ resourceRoles, rowLevelRoles: [] });
const withRows = (...policies: StoredRoles['rowLevelRoles'][number]['policies']) =>
  read({ resourceRoles: [], rowLevelRoles: [{ code: 'stored', name: 'Stored', policies }] });

// Asserts contract/roles.md#definition.
test('roles of the database count beside those of the application', () => {
  const { registry, problems } = withRoles(
    role(
      'stored',
      policy('entity', 't_Thing', 'all'),
      policy('entityAttribute', 't_Thing.name', 'view'),
      policy('entityAttribute', '*.*', 'modify'),
      policy('specific', 'rest.enabled', 'access'),
    ),
  );
  expect(problems).toEqual([]);
  const access = buildAccess(['stored'], registry.resourceRoles, { requireApiScope: true });
  expect(access.allows('t_Thing', 'delete')).toBe(true);
  expect(access.mayModify('t_Owner', 'country')).toBe(true);
  expect(access.hasSpecific('rest.enabled')).toBe(true);
  expect(registry.resourceRoles.has('own')).toBe(true);
});

// Asserts contract/decisions.md#31, contract/roles.md#definition, contract/roles.md#evaluation.
test.each([
  ['a policy that denies', policy('entity', 't_Thing', 'read', 'deny'), 'effect: The effect of a policy is allow'],
  ['an unknown entity', policy('entity', 't_Nothing', 'read'), 'resource: There is no entity t_Nothing'],
  ['an unknown action', policy('entity', 't_Thing', 'view'), 'action: The action on an entity is'],
  ['an unknown attribute', policy('entityAttribute', 't_Thing.colour', 'view'), 'resource: t_Thing has no attribute'],
  ['a wildcard for the entity alone', policy('entityAttribute', '*.name', 'view'), 'resource: An attribute is named'],
  ['a wrong action on an attribute', policy('entityAttribute', 't_Thing.*', 'read'), 'action: The action on an attr'],
  ['an unknown type', policy('screen', 'x', 'access'), 'type: The type of a policy is'],
])('%s grants nothing and is told', (_case, given, problem) => {
  const { registry, problems } = withRoles(role('stored', given));
  expect(problems).toEqual([expect.stringContaining(`Role stored: ${problem}`)]);
  expect(registry.resourceRoles.get('stored')?.policies).toEqual([]);
});

// Asserts contract/roles.md#definition.
test('the role of the application wins over one of the database with its code', () => {
  const { registry, problems } = withRoles(role('own', policy('entity', '*', 'all')));
  expect(registry.resourceRoles.get('own')).toBe(application.resourceRoles.get('own'));
  expect(problems).toEqual(['Role own of the database does not count: the application has one with that code']);
});

// Asserts contract/row-policies.md#policies.
test('row-level policies are conditions and predicates of the entity query language', () => {
  const { registry, problems } = withRows(
    rows('query', 't_Thing', '{E}.owner.country = :current_user_country'),
    rows('predicate', 't_Thing', `{E}.name <> 'secret'`, 'update, delete'),
  );
  expect(problems).toEqual([]);
  const [query, predicate] = registry.rowRoles.get('stored')?.policies ?? [];
  expect(query).toEqual({ kind: 'query', entity: 't_Thing', where: '{E}.owner.country = :current_user_country' });
  if (predicate?.kind !== 'predicate') throw new Error('The second policy is a predicate');
  expect(predicate.actions).toEqual(['update', 'delete']);
  expect([predicate.test({ name: 'x' }, () => null), predicate.test({ name: 'secret' }, () => null)]).toEqual([
    true,
    false,
  ]);
});

// Asserts contract/decisions.md#73.
test('a query policy of the database holds for the actions that it names', () => {
  const { registry, problems } = withRows(
    rows('query', 't_Thing', "{E}.name = 'x'", 'create, update,create'),
    rows('query', 't_Thing', "{E}.name = 'y'", 'read'),
  );
  expect(problems).toEqual([]);
  expect(registry.rowRoles.get('stored')?.policies).toEqual([
    { kind: 'query', entity: 't_Thing', where: "{E}.name = 'x'", actions: ['create', 'update'] },
    { kind: 'query', entity: 't_Thing', where: "{E}.name = 'y'" },
  ]);
});

// Asserts contract/decisions.md#73.
test('the builders of code make the same policies', () => {
  const test = () => true;
  expect([
    queryPolicy('t_Thing', '1 = 1'),
    queryPolicy('t_Thing', '1 = 1', 'join {E}.owner o'),
    queryPolicy('t_Thing', '1 = 1', { join: 'join {E}.owner o', actions: ['delete'] }),
    predicatePolicy('t_Thing', { actions: ['create'], dependsOn: ['name'], test }),
  ]).toEqual([
    { kind: 'query', entity: 't_Thing', where: '1 = 1' },
    { kind: 'query', entity: 't_Thing', where: '1 = 1', join: 'join {E}.owner o' },
    { kind: 'query', entity: 't_Thing', where: '1 = 1', join: 'join {E}.owner o', actions: ['delete'] },
    { kind: 'predicate', entity: 't_Thing', actions: ['create'], dependsOn: ['name'], test },
  ]);
});

// Asserts contract/row-policies.md#policies.
test('a policy may join; the error of a wrong join names the join', () => {
  const joined = (joinClause: string, whereClause: string) => ({
    ...rows('query', 't_Thing', whereClause),
    joinClause,
  });
  const good = withRows(joined('join {E}.owner o', "o.country = 'DE'"));
  expect(good.problems).toEqual([]);
  expect(good.registry.rowRoles.get('stored')?.policies).toEqual([
    { kind: 'query', entity: 't_Thing', where: "o.country = 'DE'", join: 'join {E}.owner o' },
  ]);
  expect(withRows(joined('join {E}.nothing o', "o.country = 'DE'")).problems[0]).toContain('stored: joinClause: ');
  expect(withRows(joined('join {E}.owner o', "x.country = 'DE'")).problems[0]).toContain('stored: whereClause: ');
});

test.each([
  ['a path that is none', rows('query', 't_Thing', '{E}.colour = 1'), 'whereClause: t_Thing has no attribute colour'],
  ['a text that is no condition', rows('predicate', 't_Thing', 'return true'), 'script: '],
  [
    'a subquery that may have several rows',
    rows('query', 't_Thing', "(select o.country from t_Owner o) = 'DE'"),
    'whereClause: A subquery that stands for a value must be a single aggregate',
  ],
  ['no text at all', rows('query', 't_Thing', ' '), 'whereClause: A policy needs a condition'],
  [
    'an unknown action',
    // Asserts contract/decisions.md#59, contract/row-policies.md#policies.
    rows('predicate', 't_Thing', `{E}.name = 'x'`, 'look'),
    'action: The actions of a row-level policy',
  ],
  ['an unknown action of a query', rows('query', 't_Thing', '1 = 1', 'all'), 'action: The actions of a row-level'],
  ['an unknown type', rows('groovy', 't_Thing', ''), 'type: The type of a row-level policy'],
])('%s hides every row of the entity and is told', (_case, given, problem) => {
  const { registry, problems } = withRows(given);
  expect(problems).toEqual([expect.stringContaining(`Row-level role stored: ${problem}`)]);
  const [hiding] = registry.rowRoles.get('stored')?.policies ?? [];
  if (hiding?.kind !== 'predicate') throw new Error('It is a predicate');
  expect(hiding.actions).toEqual(['create', 'read', 'update', 'delete']);
  expect(hiding.test({ name: 'x' }, () => null)).toBe(false);
});

test('a role with a policy about an entity that is gone or was renamed is unknown, so it hides everything', () => {
  const { registry, problems } = withRows(
    rows('query', 't_Thing', '{E}.name = 1'),
    rows('query', 't_Gone', '{E}.a = 1'),
  );
  expect(registry.rowRoles.has('stored')).toBe(false);
  expect(unknownRowRoles(['stored', 'rows'], registry)).toEqual(['stored']);
  expect(problems.at(-1)).toContain('Row-level role stored hides everything');
});

test('policies of a stored row-level role hold also where the application has a role with its code', () => {
  const { registry, problems } = read({
    resourceRoles: [],
    rowLevelRoles: [{ code: 'rows', name: 'Stored', policies: [rows('query', 't_Thing', "{E}.name = 'x'")] }],
  });
  expect(registry.rowRoles.get('rows')).toMatchObject({ name: 'Rows', policies: [{ where: "{E}.name = 'x'" }] });
  expect(problems).toEqual([expect.stringContaining('rows')]);
});

test('a stored row-level role that cannot be used makes that of the application with its code unknown', () => {
  const { registry } = read({
    resourceRoles: [],
    rowLevelRoles: [{ code: 'rows', name: 'Stored', policies: [rows('query', 't_Gone', '{E}.a = 1')] }],
  });
  expect(registry.rowRoles.has('rows')).toBe(false);
});

// Asserts contract/roles.md#step-up.
test('a stored policy with the effect step-up needs a login with two factors; on attributes there is none', () => {
  const { registry, problems } = withRoles(
    role(
      'stored',
      policy('entity', 't_Thing', 'delete', 'step-up'),
      policy('entity', 't_Thing', 'all', 'step-up'),
      policy('specific', 'x', 'access', 'step-up'),
      policy('entityAttribute', 't_Thing.name', 'view', 'step-up'),
    ),
  );
  const acr = 'urn:lintel:acr:2fa';
  expect(registry.resourceRoles.get('stored')?.policies).toEqual([
    { kind: 'entity', entity: 't_Thing', actions: ['delete'], acr },
    { kind: 'entity', entity: 't_Thing', actions: ['create', 'read', 'update', 'delete'], acr },
    { kind: 'specific', name: 'x', acr },
  ]);
  expect(problems).toEqual([
    expect.stringContaining('Role stored: effect: The effect of a policy is allow, or step-up'),
  ]);
});

// Asserts contract/roles.md#step-up.
test('policies of the application name an acr that exists, and none on attributes', () => {
  const wrong = [
    { kind: 'entity', entity: 't_Thing', actions: ['read'], acr: '2fa' },
    { kind: 'specific', name: 'x', acr: '2fa' },
    { kind: 'attribute', entity: 't_Thing', attribute: 'name', action: 'view', acr: 'urn:lintel:acr:2fa' },
  ] as unknown as ResourcePolicy[];
  expect(resourceRoleProblems(model, resourceRole('own', { name: 'Own', policies: wrong }))).toEqual([
    'Role own, policy on t_Thing: acr is urn:lintel:acr:1fa or urn:lintel:acr:2fa',
    'Role own, policy x: acr is urn:lintel:acr:1fa or urn:lintel:acr:2fa',
    'Role own, policy on t_Thing: policies on attributes cannot require an acr',
  ]);
});

// Asserts contract/decisions.md#56, contract/roles.md#definition.
test('the same version is the same registry', () => {
  const reader = roleReader(application);
  const ignore = () => {};
  const body = { resourceRoles: [], rowLevelRoles: [] };
  const first = reader({ version: '1', body }, ignore);
  expect(reader({ version: '1', body }, ignore)).toBe(first);
  expect(reader({ version: '2', body }, ignore)).not.toBe(first);
});

test('a query policy may use joins; a wrong join and a wrong condition have different errors', () => {
  const joined = { ...rows('query', 't_Thing', "o.name = 'x'"), joinClause: 'join t_Thing o on o.name = {E}.name' };
  const { registry, problems } = withRows(joined);
  expect(problems).toEqual([]);
  expect(registry.rowRoles.get('stored')?.policies[0]).toMatchObject({ kind: 'query', join: joined.joinClause });
  const wrong = withRows({ ...joined, joinClause: 'join {E}.nothing o' }, { ...joined, whereClause: 'x.name = 1' });
  expect(wrong.problems.join()).toContain('t_Thing has no attribute nothing');
  expect(wrong.problems.join()).toContain('Unknown variable x');
});
