import { assertReadable, type ReadAccess, type RowPredicate, resolveEntity } from '@lintel/query';
import { model } from './model.ts';
import { compileRequest, type TestRequest } from './run-stages.ts';
import { readAccessOf, type TestAccess } from './test-access.ts';

const query = (text: string): TestRequest => ({
  ...{ operation: 'list', entityName: 't_Pet', members: {}, query: { text } },
});
const filtered = (...conditions: unknown[]): TestRequest => ({
  ...{ operation: 'list', entityName: 't_Pet', members: { filter: { conditions } } },
});
const refusal = (
  request: TestRequest,
  access: TestAccess = {},
  predicates: Readonly<Record<string, readonly RowPredicate[]>> = {},
): unknown => {
  try {
    compileRequest(request, access, predicates);
    return undefined;
  } catch (error) {
    const { code, details } = error as { readonly code: string; readonly details: string };
    return code === 'ACCESS_READ_DENIED' ? details : error;
  }
};
const AGE = 'Reading of the attribute t_Pet.age is forbidden';
const COST = 'Reading of the attribute t_Visit.cost is forbidden';
const hidden = { hidden: ['t_Pet.age', 't_Visit.cost'] };

// Asserts contract/decisions.md#13, contract/decisions.md#53.
test.each([
  ['select p.age as age from t_Pet p', AGE],
  ['select max(p.age) as age from t_Pet p', AGE],
  ['select p from t_Pet p where p.age > 1', AGE],
  ["select p from t_Pet p where not (p.name = 'x' or p.age > 1)", AGE],
  ['select p from t_Pet p order by p.age', AGE],
  ['select p.name as name, count(p) as number from t_Pet p group by p.name having max(p.age) > 1', AGE],
  ['select p.name as name from t_Pet p join p.visits v on v.cost > 1', COST],
  ['select p from t_Pet p where exists (select v from t_Visit v where v.pet = p and v.cost > 1)', COST],
  ['select p from t_Pet p where (select max(v.cost) from t_Visit v) > 1', COST],
])('the query %s is refused', (text, details) => {
  expect(refusal(query(text), hidden)).toBe(details);
  expect(refusal(query(text))).toBeUndefined();
});

// Asserts contract/decisions.md#13, contract/decisions.md#53.
test.each([
  ['select count(v) as visits from t_Visit v', 'Reading of the t_Visit is forbidden'],
  ['select p from t_Pet p where exists (select v from t_Visit v)', 'Reading of the t_Visit is forbidden'],
  ['select p.name as name from t_Pet p join p.visits v', 'Reading of the t_Visit is forbidden'],
  ['select p from t_Pet p where size(p.visits) > 1', 'Reading of the t_Visit is forbidden (t_Pet.visits)'],
])('the query %s is refused where visits may not be read', (text, details) => {
  expect(refusal(query(text), { unreadable: ['t_Visit'] })).toBe(details);
});

const decided = { t_Pet: [{ dependsOn: [], test: () => true }] };

// Asserts contract/row-policies.md#reading.
test('a predicate decides about the instances that a query returns, and about no others in it', () => {
  const details = 'A row-level policy of the t_Pet allows no conditions on it';
  expect(refusal(query("select p from t_Pet p where p.name = 'x'"), {}, decided)).toBeUndefined();
  expect(refusal(query('select p from t_Pet p where exists (select q from t_Pet q)'), {}, decided)).toBe(details);
  expect(refusal(query('select p.name as name from t_Pet p'), {}, decided)).toBe(details);
  expect(refusal(query('select v.cost as cost from t_Visit v where v.pet.age > 1'), {}, decided)).toBe(
    'A row-level policy of the t_Pet allows no conditions on t_Visit.pet',
  );
});

const OLD = { property: 'age', operator: '>', value: 1 };
const NAMED = { property: 'name', operator: '=', value: 'x' };
const EXPENSIVE = { property: 'cost', operator: '>', value: 1 };

// Asserts contract/decisions.md#13, contract/filters.md#checks.
test.each<[string, unknown, string]>([
  ['and', { group: 'AND', conditions: [NAMED, OLD] }, AGE],
  ['or', { group: 'OR', conditions: [NAMED, OLD] }, AGE],
  ['not', { group: 'NOT', conditions: [NAMED, OLD] }, AGE],
  ['not in or', { group: 'OR', conditions: [NAMED, { group: 'NOT', conditions: [OLD] }] }, AGE],
  ['some', { some: 'visits', conditions: [EXPENSIVE] }, COST],
  ['every', { every: 'visits', conditions: [EXPENSIVE] }, COST],
  ['none', { none: 'visits', conditions: [EXPENSIVE] }, COST],
  ['some of the members of members', { some: 'owner.pets', conditions: [OLD] }, AGE],
])('a filter with a hidden attribute in %s is refused', (_where, condition, details) => {
  expect(refusal(filtered(condition), hidden)).toBe(details);
  expect(refusal(filtered(condition))).toBeUndefined();
});

test('a filter for members is refused where the collection or its members may not be read', () => {
  const request = filtered({ some: 'visits', conditions: [EXPENSIVE] });
  expect(refusal(request, { hidden: ['t_Pet.visits'] })).toBe('Reading of the attribute t_Pet.visits is forbidden');
  expect(refusal(request, { unreadable: ['t_Visit'] })).toBe('Reading of the t_Visit is forbidden (t_Pet.visits)');
  expect(refusal(filtered({ some: 'visits' }), { unreadable: ['t_Visit'] })).toBe(
    'Reading of the t_Visit is forbidden (t_Pet.visits)',
  );
});

// Asserts contract/roles.md#attributes-read.
test('the parts of a composite key are as visible as the key', () => {
  const request: TestRequest = {
    operation: 'list',
    entityName: 't_Rate',
    members: {
      filter: { conditions: [{ property: 'id.currency', operator: '=', value: 'EUR' }] },
      sort: 'id.currency',
    },
  };
  const access = { hidden: ['t_Rate.id', 't_RateKey.currency'], unreadable: ['t_RateKey'] };
  expect(refusal(request, access)).toBeUndefined();
});

const strong = (weak: TestAccess): ReadAccess => ({
  ...readAccessOf(weak),
  afterLogin: { acr: 'urn:lintel:acr:2fa', access: readAccessOf() },
});

// Asserts contract/roles.md#step-up.
test('an entity that a stronger login may read asks for that login', () => {
  const pet = resolveEntity(model, 't_Pet');
  const weak = { unreadable: ['t_Pet'] };
  expect(() => assertReadable(pet, strong(weak))).toThrow(expect.objectContaining({ code: 'AUTH_STEP_UP_REQUIRED' }));
  expect(() => assertReadable(pet, readAccessOf(weak))).toThrow(
    expect.objectContaining({ code: 'ACCESS_READ_DENIED' }),
  );
  expect(() => assertReadable(pet, strong({}))).not.toThrow();
});
