import type { PlatformError } from '@lintel/errors';
import { compileRequest, type TestRequest } from './run-stages.ts';
import type { TestAccess } from './test-access.ts';

const refusal = (
  request: TestRequest,
  ...given: [access?: TestAccess, predicates?: Parameters<typeof compileRequest>[2]]
): Pick<PlatformError, 'status' | 'error' | 'details'> => {
  try {
    compileRequest(request, ...given);
  } catch (error) {
    const { status, error: name, details } = error as PlatformError;
    return { status, error: name, details };
  }
  throw new Error('The request was not refused');
};

const list = (members: Record<string, unknown>, entityName = 't_Pet'): TestRequest => ({
  operation: 'list',
  entityName,
  members,
});
const filtered = (...conditions: unknown[]): TestRequest => list({ filter: { conditions } });

describe('a filter is refused with the text of the contract', () => {
  const cases: [string, unknown, string][] = [
    ['no property', { operator: '=' }, "Field 'property' is not defined for filter condition"],
    ['a null property', { property: null, operator: '=' }, "Field 'property' is not defined for filter condition"],
    ['no operator', { property: 'name' }, "Field 'operator' is not defined for filter condition"],
    [
      'an unknown operator before an unknown property',
      { property: 'x', operator: '~' },
      'Operator is not supported: ~',
    ],
    ['no value', { property: 'x', operator: '=' }, "Field 'value' is not defined for filter condition"],
    [
      'a null value',
      { property: 'x', operator: '=', value: null },
      "Field 'value' is not defined for filter condition",
    ],
    ['an unknown property', { property: 'a.b', operator: '=', value: 1 }, 'Property for t_Pet not found: a.b'],
    [
      'a secret property',
      { property: 'owner.password', operator: '=', value: 'x' },
      'Property for t_Pet not found: owner.password',
    ],
    ['an unknown dynamic attribute', { property: '+x', operator: 'isNull' }, 'Property for t_Pet not found: +x'],
    [
      'a dynamic attribute of another entity',
      { property: 'owner.+motto', operator: 'isNull' },
      'Property for t_Pet not found: owner.+motto',
    ],
    [
      'a path that continues after a dynamic attribute',
      { property: '+sitter.name', operator: 'isNull' },
      'Property for t_Pet not found: +sitter.name',
    ],
    [
      'an order of a dynamic text',
      { property: '+motto', operator: '>', value: 'a' },
      'Operator > is not available for java type java.lang.String',
    ],
    [
      'a text search in a dynamic reference',
      { property: '+sitter', operator: 'contains', value: 'a' },
      'Operator contains is not available for java type t_Owner',
    ],
    [
      'a value that is none of the type of a dynamic attribute',
      { property: '+tricks', operator: '=', value: '1; DROP TABLE x' },
      'Cannot parse property value: 1; DROP TABLE x',
    ],
    [
      'a property that is not stored',
      { property: 'visitCount', operator: '=', value: 1 },
      'Property visitCount of t_Pet is not stored',
    ],
    [
      'an order of texts',
      { property: 'name', operator: '>', value: 'a' },
      'Operator > is not available for java type java.lang.String',
    ],
    [
      'a text operator on a number',
      { property: 'age', operator: 'contains', value: '1' },
      'Operator contains is not available for java type java.lang.Integer',
    ],
    [
      'an order of references',
      { property: 'owner', operator: '<', value: 'a' },
      'Operator < is not available for java type t_Owner',
    ],
    [
      'no list for in',
      { property: 'name', operator: 'in', value: 'a' },
      'JSON array was expected as a value for condition with operator in',
    ],
    [
      'no list for notIn',
      { property: 'owner', operator: 'notIn', value: 'a' },
      'JSON array was expected as a value for condition with operator notIn',
    ],
    [
      'a fraction for an integer',
      { property: 'age', operator: '=', value: 100.5 },
      'Cannot parse property value: 100.5',
    ],
    [
      'an integer out of range',
      { property: 'age', operator: '=', value: 3000000000 },
      'Cannot parse property value: 3000000000',
    ],
    [
      'a day that does not exist',
      { property: 'born', operator: '=', value: '2023-02-29' },
      'Cannot parse property value: 2023-02-29',
    ],
    [
      'an instant without an offset',
      { property: 'chippedAt', operator: '=', value: '2023-01-01T00:00' },
      'Cannot parse property value: 2023-01-01T00:00',
    ],
    [
      'a value of which a short beginning is repeated',
      { property: 'age', operator: '=', value: '7x'.repeat(450_000) },
      `Cannot parse property value: ${'7x'.repeat(100)}…`,
    ],
    ['an unknown constant', { property: 'color', operator: '=', value: 'r' }, 'Cannot parse enum value: r'],
    [
      'a null among the values',
      { property: 'age', operator: 'in', value: [1, null] },
      'Cannot parse property value: null',
    ],
    [
      'two values in place of one',
      { property: 'age', operator: '=', value: [1, 2] },
      'Cannot parse property value: [1,2]',
    ],
    ['an unknown group', { group: 'XOR', conditions: [] }, 'Invalid conditions group type: XOR'],
    ['some of a reference', { some: 'owner' }, 'owner is no collection of instances, which some asks for'],
    [
      'every through a collection',
      { every: 'owner.pets.visits', conditions: [{ property: 'cost', operator: 'isNull' }] },
      'owner.pets.visits leads through a collection: the condition of a collection can contain that of another one',
    ],
    [
      'conditions on values',
      { none: 'owner.nicknames', conditions: [{ property: 'x', operator: 'isNull' }] },
      'The elements of owner.nicknames are values, which have no attributes',
    ],
    [
      'an unknown attribute of a member',
      { some: 'visits', conditions: [{ property: 'name', operator: 'isNull' }] },
      'Property for t_Visit not found: name',
    ],
    [
      'attributes of different types',
      { property: 'born', operator: '>', valueOf: 'owner.salary' },
      'born (localDate) and owner.salary (decimal) cannot be compared',
    ],
    [
      'an order of texts',
      { property: 'name', operator: '>', valueOf: 'owner.name' },
      'Operator > is not available for java type java.lang.String',
    ],
    [
      'another attribute that is in a collection',
      { property: 'age', operator: '=', valueOf: 'visits.cost' },
      "visits.cost leads through a collection: 'some' compares attributes of one member",
    ],
    [
      'an embedded object as another attribute',
      { property: 'owner.address', operator: '=', valueOf: 'owner.address' },
      'owner.address has no single value that is compared with another attribute',
    ],
    [
      'an operator of texts with another attribute',
      { property: 'name', operator: 'contains', valueOf: 'owner.name' },
      'Operator contains does not compare two attributes',
    ],
    [
      'a value and another attribute',
      { property: 'age', operator: '=', value: 1, valueOf: 'serial' },
      "A condition has 'value' or 'valueOf', but not both",
    ],
    [
      'a path that is no text',
      { property: 'age', operator: '=', valueOf: 1 },
      "Field 'valueOf' must be the path of an attribute",
    ],
    [
      'a duration that is none of ISO 8601',
      { property: 'born', operator: '>', value: { now: '-7d' } },
      'Cannot parse property value: {"now":"-7d"}',
    ],
    [
      'a time of no time',
      { property: 'age', operator: '>', value: { now: 'P1D' } },
      'Cannot parse property value: {"now":"P1D"}',
    ],
    [
      'an unknown zone',
      { property: 'born', operator: '>', value: { startOf: 'day', timeZone: 'Mars' } },
      'Cannot parse property value: {"startOf":"day","timeZone":"Mars"}',
    ],
    ['two quantifiers', { some: 'visits', none: 'visits' }, "A condition has 'some' or 'none', but not both"],
    ['a quantifier of no text', { some: { path: 'visits' } }, "Field 'some' must be the path of a collection"],
    ['a count without an operator', { count: 'visits' }, "Field 'operator' is not defined for filter condition"],
    ['a count that is in a list', { count: 'visits', operator: 'in', value: [1] }, 'Operator is not supported: in'],
    [
      'a count without a number',
      { count: 'visits', operator: '>' },
      "Field 'value' is not defined for filter condition",
    ],
    ['half a member', { count: 'visits', operator: '>', value: 1.5 }, 'Cannot parse property value: 1.5'],
    ['conditions that are no list', { group: 'OR', conditions: {} }, "Field 'conditions' must be a JSON array"],
  ];
  // Asserts contract/decisions.md#5, contract/errors.md#catalogue, contract/fetch-plans.md#fetch-plans,
  // contract/fetch-plans.md#parameter.
  test.each(cases)('%s', (_title, condition, details) => {
    expect(refusal(filtered(condition))).toEqual({ status: 400, error: 'Cannot parse entities filter', details });
  });

  test('an element that is no object is malformed, at any depth', () => {
    const malformed = {
      status: 400,
      error: 'Malformed request JSON data structure',
      details: 'JSON array element null is not a valid JSON object literal',
    };
    expect(refusal(filtered(null))).toEqual(malformed);
    expect(refusal(filtered({ group: 'OR', conditions: [null] }))).toEqual(malformed);
  });

  test('a filter that is no object', () => {
    const details = 'Entities filter must be a JSON object';
    expect(refusal(list({ filter: [] }))).toMatchObject({ status: 400, details });
    expect(refusal(list({ filter: '{' }))).toMatchObject({ status: 400, details: 'The filter is not valid JSON' });
  });

  // Asserts contract/filters.md#structure.
  test('groups nested beyond all reason', () => {
    let group: unknown = { group: 'OR', conditions: [] };
    for (let depth = 0; depth < 300; depth += 1) group = { group: 'OR', conditions: [group] };
    expect(refusal(filtered(group))).toMatchObject({ status: 400, error: 'Cannot parse entities filter' });
  });
});

describe('a fetch plan is refused with what is wrong in it', () => {
  const plan = (...properties: unknown[]): TestRequest => list({ fetchPlan: { entity: 't_Pet', properties } });
  const cases: [string, TestRequest, string, string][] = [
    ['an unknown name', list({ fetchPlan: 'x' }), 'Fetch plan not found', 'Fetch plan x for entity t_Pet not found'],
    ['broken JSON', list({ fetchPlan: '{a}' }), 'Invalid FetchPlan definition', 'The fetch plan is not valid JSON'],
    ['an array', list({ fetchPlan: [] }), 'Invalid FetchPlan definition', '[]'],
    ['null', list({ fetchPlan: null }), 'Invalid FetchPlan definition', 'null'],
    [
      'no entity',
      list({ fetchPlan: { properties: [] } }),
      'Invalid FetchPlan definition',
      `The plan has no text member 'entity'; a plan of t_Pet is {"entity": "t_Pet", "properties": […]}`,
    ],
    [
      'an unknown entity',
      list({ fetchPlan: { entity: 'x', properties: [] } }),
      'Invalid FetchPlan definition',
      'Unknown entity x',
    ],
    ['an unknown property', plan('x'), 'Invalid FetchPlan definition', 'Property x of t_Pet not found'],
    [
      'an unknown nested property',
      plan({ name: 'owner', fetchPlan: { properties: ['x'] } }),
      'Invalid FetchPlan definition',
      'Property x of t_Owner not found',
    ],
    [
      'a nested plan of a local attribute',
      plan({ name: 'age', fetchPlan: { properties: [] } }),
      'Invalid FetchPlan definition',
      't_Pet.age is no reference: it has no nested plan',
    ],
    [
      'an unknown nested plan',
      plan({ name: 'owner', fetchPlan: 'x' }),
      'Invalid FetchPlan definition',
      'Fetch plan x for entity t_Owner not found',
    ],
    [
      'an unknown plan that is extended',
      list({ fetchPlan: { entity: 't_Pet', extends: '_local, x' } }),
      'Invalid FetchPlan definition',
      'Fetch plan x for entity t_Pet not found',
    ],
    [
      'an extension that is no name',
      list({ fetchPlan: { entity: 't_Pet', extends: [1], properties: [] } }),
      'Invalid FetchPlan definition',
      "'extends' of the plan of t_Pet: 1 is no name",
    ],
    [
      'an extension that is an object',
      list({ fetchPlan: { entity: 't_Pet', extends: {} } }),
      'Invalid FetchPlan definition',
      "'extends' of the plan of t_Pet is neither a name nor a list of names",
    ],
  ];
  const selected: [string, Record<string, unknown>, string][] = [
    [
      'a selection of a to-one reference',
      { name: 'owner', limit: 1, sort: 'name' },
      'owner of t_Pet is no collection of instances: it has no sort, limit',
    ],
    [
      'a selection of a value',
      { name: 'age', count: true },
      'age of t_Pet is no collection of instances: it has no count',
    ],
    ['a filter that is no object', { name: 'visits', filter: 'x' }, 'visits: Entities filter must be a JSON object'],
    [
      'an unknown attribute of a filter',
      { name: 'visits', filter: { conditions: [{ property: 'x', operator: 'isNull' }] } },
      'visits: Property for t_Visit not found: x',
    ],
    ['an unknown attribute of a sort', { name: 'visits', sort: 'x' }, 'visits: Cannot sort t_Visit by x'],
    [
      'a sort that is no text',
      { name: 'visits', sort: ['cost'] },
      "visits: Parameter 'sort' must be a text of comma-separated attributes",
    ],
    [
      'a negative limit',
      { name: 'visits', limit: -1 },
      "visits: Parameter 'limit' must be an integer that is not negative",
    ],
    [
      'an offset with a fraction',
      { name: 'visits', offset: 1.5 },
      "visits: Parameter 'offset' must be an integer that is not negative",
    ],
    ['a count that is no flag', { name: 'visits', count: 3 }, "visits: Parameter 'count' must be true or false"],
  ];
  // Asserts contract/fetch-plans.md#members.
  test.each(selected)('%s is refused', (_title, item, details) => {
    expect(refusal(plan(item))).toEqual({ status: 400, error: 'Invalid FetchPlan definition', details });
    expect(
      refusal(
        list(
          { fetchPlan: { entity: 't_Owner', properties: [{ name: 'pets', fetchPlan: { properties: [item] } }] } },
          't_Owner',
        ),
      ).details,
    ).toBe(details);
  });
  test.each(cases)('%s', (_title, request, error, details) => {
    expect(refusal(request)).toEqual({ status: 400, error, details });
  });
});

describe('parameters are refused by name', () => {
  const cases: [string, Record<string, unknown>, string][] = [
    ['a limit that is no number', { limit: 'abc' }, "Parameter 'limit' must be an integer that is not negative"],
    ['a negative limit', { limit: -1 }, "Parameter 'limit' must be an integer that is not negative"],
    ['a null limit', { limit: null }, "Parameter 'limit' must be an integer that is not negative"],
    [
      'a limit of too many digits',
      { limit: '9'.repeat(16) },
      "Parameter 'limit' must be an integer of at most 15 digits",
    ],
    ['a fraction as offset', { offset: 1.5 }, "Parameter 'offset' must be an integer that is not negative"],
    ['a flag that is none', { returnNulls: 'maybe' }, "Parameter 'returnNulls' must be true or false"],
    ['a null flag', { returnCount: null }, "Parameter 'returnCount' must be true or false"],
  ];
  test.each(cases)('%s', (_title, members, details) => {
    expect(refusal(list(members))).toEqual({ status: 400, error: 'Invalid parameter value', details });
  });

  test('a limit above the maximum', () => {
    expect(refusal(list({ limit: 101 }))).toEqual({
      status: 400,
      error: 'The value of limit exceeded',
      details: 'The value of the limit exceeds the maximum possible value from application.properties',
    });
  });

  // Asserts contract/decisions.md#12, contract/dynamic-attributes.md#sorting, contract/reading.md#sort.
  test.each([
    'x',
    'tags',
    'owner.pets',
    'visits.cost',
    'owner.nicknames',
    'visitCount',
    'owner.address',
    'owner.password',
    // Without a sign of its own it is an attribute of the model; lists and references have no order.
    'motto',
    '+x',
    'owner.+motto',
    '+motto.length',
    '+names',
    '+sitter',
  ])('a sort by %s', (path) => {
    expect(refusal(list({ sort: `name,-${path}` }))).toEqual({
      status: 400,
      error: 'Invalid sort',
      details: `Cannot sort t_Pet by ${path}`,
    });
  });
});

describe('what the caller may not see cannot be asked for', () => {
  const forbidden = (details: string) => ({ status: 403, error: 'Reading forbidden', details });

  // Asserts contract/errors.md#catalogue.
  test('an entity that may not be read', () => {
    expect(refusal(list({}), { unreadable: ['t_Pet'] })).toEqual(forbidden('Reading of the t_Pet is forbidden'));
  });

  // Asserts contract/decisions.md#13, contract/errors.md#catalogue, contract/roles.md#evaluation.
  // Asserts contract/fetch-plans.md#members.
  test('a selection of members by a hidden attribute, and a part of what only code can hide', () => {
    const visits = (selection: object): TestRequest =>
      list({ fetchPlan: { entity: 't_Pet', properties: [{ name: 'visits', ...selection }] } });
    const byCost = { filter: { conditions: [{ property: 'cost', operator: '>', value: 1 }] } };
    const details = 'Reading of the attribute t_Visit.cost is forbidden';
    for (const selection of [byCost, { sort: 'cost' }])
      expect(refusal(visits(selection), { hidden: ['t_Visit.cost'] })).toEqual(forbidden(details));
    const predicates = { t_Visit: [{ dependsOn: [], test: () => true }] };
    for (const selection of [{ limit: 1 }, { offset: 1 }, { count: true }])
      expect(refusal(visits(selection), {}, predicates)).toEqual(
        forbidden('A row-level policy of the t_Visit allows no limit, offset or count of visits'),
      );
    expect(compileRequest(visits(byCost), {}, predicates).text).toContain('"cost" >');
  });

  test('a filter on a hidden attribute, at any depth of the path', () => {
    const access = { hidden: ['t_Owner.salary'] };
    const details = 'Reading of the attribute t_Owner.salary is forbidden';
    expect(refusal(filtered({ property: 'owner.salary', operator: 'isNull' }), access)).toEqual(forbidden(details));
    expect(refusal(list({ sort: 'owner.salary' }), access)).toEqual(forbidden(details));
  });

  // Asserts contract/decisions.md#13, contract/decisions.md#53, contract/decisions.md#74, contract/filters.md#types.
  test('a filter on an embedded object, for each attribute that it is compared by', () => {
    const compared = (operator: string, value: unknown) => filtered({ property: 'owner.address', operator, value });
    const access = { hidden: ['t_Address.city'] };
    const details = 'Reading of the attribute t_Address.city is forbidden';
    expect(refusal(compared('=', { country: 'DE', city: null }), access)).toEqual(forbidden(details));
    expect(refusal(compared('notIn', [{ country: 'DE' }, { city: 'Ulm' }]), access)).toEqual(forbidden(details));
    expect(() => compileRequest(compared('<>', { country: 'DE' }), access)).not.toThrow();
    for (const hidden of ['t_Owner.address', 't_Pet.owner'])
      expect(refusal(compared('in', [{ country: 'DE' }]), { hidden: [hidden] })).toMatchObject({ status: 403 });
    for (const value of [[], [{ country: 'DE' }]])
      expect(refusal(compared('in', value), { unreadable: ['t_Address'] })).toMatchObject({ status: 403 });
  });

  // Asserts contract/decisions.md#13, contract/errors.md#catalogue, contract/filters.md#checks,
  // contract/roles.md#evaluation.
  test('a filter through an entity that may not be read', () => {
    const access = { unreadable: ['t_Owner'] };
    const details = 'Reading of the t_Owner is forbidden (t_Pet.owner)';
    expect(refusal(filtered({ property: 'owner.name', operator: '=', value: 'x' }), access)).toEqual(
      forbidden(details),
    );
    expect(refusal(filtered({ property: 'owner', operator: 'isNull' }), access)).toEqual(forbidden(details));
  });

  // Asserts contract/decisions.md#13, contract/errors.md#catalogue.
  test('a hidden attribute is refused before its value is looked at', () => {
    const request = filtered({ property: 'age', operator: '=', value: 'no number' });
    expect(refusal(request, { hidden: ['t_Pet.age'] })).toMatchObject({ status: 403 });
  });

  // Asserts contract/decisions.md#13, contract/row-policies.md#reading.
  test('a path through an entity whose rows a predicate decides', () => {
    const request = filtered({ property: 'owner.name', operator: '=', value: 'x' });
    const predicates = { t_Owner: [{ dependsOn: [], test: () => true }] };
    expect(() => compileRequest(request, {}, predicates)).toThrow('t_Pet.owner');
  });

  test('a sort by a dynamic attribute of an entity that may not be read', () => {
    expect(refusal(list({ sort: 'owner.+vip' }), { unreadable: ['t_Owner'] })).toEqual(
      forbidden('Reading of the t_Owner is forbidden (t_Pet.owner)'),
    );
  });

  // Asserts contract/dynamic-attributes.md#filtering.
  test('a filter by a dynamic reference, where its target may not be read or a predicate decides about it', () => {
    const request = filtered({ property: '+sitter', operator: 'isNull' });
    expect(refusal(request, { unreadable: ['t_Owner'] })).toEqual(
      forbidden('Reading of the t_Owner is forbidden (t_Pet.+sitter)'),
    );
    const predicates = { t_Owner: [{ dependsOn: [], test: () => true }] };
    expect(() => compileRequest(request, {}, predicates)).toThrow('t_Pet.+sitter');
  });

  test('an embeddable or an entity that is not stored has no instances', () => {
    expect(refusal(list({}, 't_Quote'))).toEqual({
      status: 404,
      error: 'Entity not found',
      details: 'Entity t_Quote not found',
    });
    expect(refusal(list({}, 't_Address'))).toMatchObject({ status: 404 });
  });
});

// Asserts contract/errors.md#catalogue.
test.each([
  ['t_Pet', 'x'],
  ['t_Visit', '9223372036854775808'],
  ['t_Rate', 'e30'],
  ['t_Rate', '+/'],
  ['t_Staff', '1.0'],
])('an id that is none of %s: %s', (entityName, id) => {
  expect(refusal({ operation: 'instance', entityName, id })).toEqual({
    status: 400,
    error: 'Invalid entity ID',
    details: `Cannot convert ${id} into valid entity ID`,
  });
});
