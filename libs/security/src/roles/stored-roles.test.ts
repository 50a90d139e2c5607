import { buildModel, embeddable, standardEntity, string, toOne } from '@lintel/metadata';
import {
  PolicyError,
  readResourcePolicy,
  readResourceRoles,
  readRowLevelRoles,
  readRowPolicy,
} from './stored-roles.ts';

const model = buildModel({
  entities: [
    embeddable('t_Address', { attributes: { city: string(10) } }),
    standardEntity('t_Owner', { attributes: { name: string(10) } }),
    standardEntity('t_Car', { attributes: { vin: string(10), owner: toOne('t_Owner') } }),
  ],
});

const problemIn = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    const { attribute, rule, parameters } = error;
    return { attribute, rule, parameters };
  }
  throw new Error('The policy was not refused');
};
const resource = (type: string, name: string, action: string, effect = 'allow') => ({
  ...{ type, resource: name, action, effect },
});
const row = (type: string, entityName: string, more: object = {}) => ({
  ...{ type, entityName, action: 'read', whereClause: '1 = 1', joinClause: null, script: '1 = 1', ...more },
});

// Asserts contract/roles.md#definition, contract/roles.md#step-up.
test.each([
  [resource('entity', '*', 'all'), { kind: 'entity', entity: '*', actions: ['create', 'read', 'update', 'delete'] }],
  [resource('entity', 't_Car', 'update'), { kind: 'entity', entity: 't_Car', actions: ['update'] }],
  [resource('entityAttribute', '*.*', 'view'), { kind: 'attribute', entity: '*', attribute: '*', action: 'view' }],
  [
    resource('entityAttribute', 't_Car.*', 'modify'),
    { kind: 'attribute', entity: 't_Car', attribute: '*', action: 'modify' },
  ],
  [
    resource('entityAttribute', 't_Car.vin', 'view'),
    { kind: 'attribute', entity: 't_Car', attribute: 'vin', action: 'view' },
  ],
  [resource('specific', 'x', 'access'), { kind: 'specific', name: 'x' }],
])('the resource policy %j is read', (policy, expected) => {
  expect(readResourcePolicy(model, policy)).toEqual(expected);
});

// Asserts contract/roles.md#definition.
test.each<[ReturnType<typeof resource>, string, string, object]>([
  [resource('screen', 'x', 'access'), 'type', 'PolicyType', {}],
  [resource('entity', 't_Car', 'read', 'deny'), 'effect', 'PolicyEffect', {}],
  [resource('entityAttribute', 't_Car.vin', 'view', 'step-up'), 'effect', 'PolicyEffect', {}],
  [resource('entity', 't_Cra', 'all'), 'resource', 'EntityUnknown', { entity: 't_Cra', proposal: ' (t_Car?)' }],
  [resource('entity', 'x', 'all'), 'resource', 'EntityUnknown', { entity: 'x', proposal: '' }],
  [resource('entity', 't_Car', 'view'), 'action', 'PolicyEntityAction', {}],
  [resource('entityAttribute', 't_Car.vin', 'read'), 'action', 'PolicyAttributeAction', {}],
  [resource('entityAttribute', 't_Car', 'view'), 'resource', 'PolicyAttribute', {}],
  [resource('entityAttribute', 't_Car.owner.name', 'view'), 'resource', 'PolicyAttribute', {}],
  [resource('entityAttribute', '*.vin', 'view'), 'resource', 'PolicyAttribute', {}],
  [resource('entityAttribute', '*', 'view'), 'resource', 'PolicyAttribute', {}],
  [
    resource('entityAttribute', 't_Cra.vin', 'view'),
    'resource',
    'EntityUnknown',
    { entity: 't_Cra', proposal: ' (t_Car?)' },
  ],
  [
    resource('entityAttribute', 't_Car.vni', 'view'),
    'resource',
    'AttributeUnknown',
    { entity: 't_Car', attribute: 'vni', proposal: ' (vin?)' },
  ],
  [resource('specific', 'x', 'all'), 'action', 'PolicySpecificAction', {}],
])('the resource policy %j is refused: its attribute %s, by the rule %s', (policy, attribute, rule, parameters) => {
  expect(problemIn(() => readResourcePolicy(model, policy))).toEqual({ attribute, rule, parameters });
});

// Asserts contract/row-policies.md#policies, contract/decisions.md#59.
test.each<[ReturnType<typeof row>, string, string, object]>([
  [row('query', 't_Cra'), 'entityName', 'EntityUnknown', { entity: 't_Cra', proposal: ' (t_Car?)' }],
  [row('query', 't_Address'), 'entityName', 'EntityNotStored', { entity: 't_Address' }],
  [row('script', 't_Car'), 'type', 'RowPolicyType', {}],
  [row('query', 't_Car', { whereClause: null }), 'whereClause', 'PolicyCondition', {}],
  [row('query', 't_Car', { whereClause: ' ' }), 'whereClause', 'PolicyCondition', {}],
  [row('predicate', 't_Car', { script: null }), 'script', 'PolicyCondition', {}],
  [row('predicate', 't_Car', { script: '' }), 'script', 'PolicyCondition', {}],
  [row('query', 't_Car', { action: 'read, all' }), 'action', 'RowPolicyActions', {}],
  [row('query', 't_Car', { action: 'read,' }), 'action', 'RowPolicyActions', {}],
  [row('query', 't_Car', { action: null }), 'action', 'RowPolicyActions', {}],
  [row('predicate', 't_Car', { action: '' }), 'action', 'RowPolicyActions', {}],
  [row('query', 't_Car', { whereClause: 'x' }), 'whereClause', 'InvalidCondition', expect.anything()],
  [
    row('query', 't_Car', { joinClause: 'join {E}.nothing o' }),
    'joinClause',
    'InvalidCondition',
    { details: expect.stringContaining('t_Car has no attribute nothing') },
  ],
  [
    row('predicate', 't_Car', { script: '{E}.vin = :session_x' }),
    'script',
    'InvalidCondition',
    { details: expect.stringContaining('there is no parameter :session_x') },
  ],
])('the row policy %j is refused: its attribute %s, by the rule %s', (policy, attribute, rule, parameters) => {
  expect(problemIn(() => readRowPolicy(model, policy))).toEqual({ attribute, rule, parameters });
});

// Asserts contract/row-policies.md#policies.
test('a row policy has its join and its actions if there are any', () => {
  const read = (more: object) => readRowPolicy(model, row('query', 't_Car', more));
  const plain = { kind: 'query', entity: 't_Car', where: '1 = 1' };
  expect(read({ joinClause: ' ', action: 'read, read' })).toEqual(plain);
  expect(read({ joinClause: ' join {E}.owner o ' })).toEqual({ ...plain, join: 'join {E}.owner o' });
  expect(read({ action: 'read,update' })).toEqual({ ...plain, actions: ['read', 'update'] });
  expect(readRowPolicy(model, row('predicate', 't_Car', { script: "{E}.owner.name = 'x'" }))).toMatchObject({
    ...{ kind: 'predicate', entity: 't_Car', actions: ['read'], dependsOn: ['owner.name'] },
  });
});

// Asserts contract/roles.md#definition.
test('a stored role has the scopes that exist, and its description if there is one', () => {
  const stored = {
    code: 'r',
    name: 'R',
    description: null,
    scopes: ['UI', 'CLI', 'API'],
    childRoles: ['c'],
    policies: [],
  };
  const { roles, problems } = readResourceRoles(model, [stored, { ...stored, description: 'Text', scopes: [] }]);
  expect(problems).toEqual([]);
  expect(roles).toEqual([
    { code: 'r', name: 'R', scopes: ['UI', 'API'], childRoles: ['c'], policies: [] },
    { code: 'r', name: 'R', description: 'Text', scopes: [], childRoles: ['c'], policies: [] },
  ]);
});

// Asserts contract/row-policies.md#policies.
test('a role whose policy is about an entity that is not stored hides everything, other roles do not', () => {
  const { roles, unusable, problems } = readRowLevelRoles(model, [
    { code: 'lost', name: 'Lost', policies: [row('query', 't_Address')] },
    { code: 'kept', name: 'Kept', policies: [row('query', 't_Car'), row('query', 't_Car', { whereClause: 'x' })] },
  ]);
  expect([...unusable]).toEqual(['lost']);
  expect(roles.map(({ code }) => code)).toEqual(['kept']);
  expect(roles[0]?.policies.map(({ kind }) => kind)).toEqual(['query', 'predicate']);
  expect(problems).toHaveLength(3);
});
