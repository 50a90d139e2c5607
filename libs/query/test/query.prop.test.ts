import { isPlatformError } from '@lintel/errors';
import { cases, fc } from '@lintel/testkit/properties';
import { compileRequest } from './run-stages.ts';

const paths = fc.constantFrom(
  'name',
  'color',
  'weight',
  'serial',
  'age',
  'alive',
  'born',
  'seenAt',
  'chippedAt',
  'feedAt',
  'chip',
  'photo',
  'owner',
  'owner.name',
  'owner.address',
  'owner.address.city',
  'owner.nicknames',
  'owner.password',
  'owner.pets.tags.label',
  'tags',
  'visits',
  'visits.rate',
  'visits.staff.name',
  'visitCount',
  'nothing',
  '',
  'name.',
  '__proto__',
  'constructor.name',
);
const operators = fc.constantFrom(
  ...['=', '<>', '>', '>=', '<', '<=', 'in', 'notIn', 'contains', 'doesNotContain', 'startsWith', 'endsWith'],
  ...['isNull', 'notEmpty', 'like', ''],
);
const scalars = fc.oneof(
  fc.constantFrom('RED', 'true', '2024-02-30', '2024-02-29', '10:00', '1e400', '-0', '\u0000', '%', '{"a":1}'),
  fc.string(),
  fc.double(),
  fc.integer(),
  fc.bigInt().map(String),
  fc.uuid(),
  fc.boolean(),
  fc.constant(null),
);
const values = fc.oneof(scalars, fc.array(scalars, { maxLength: 3 }), fc.record({ id: scalars }), fc.jsonValue());
const condition = fc.record(
  { property: fc.oneof(paths, fc.jsonValue()), operator: fc.oneof(operators, fc.jsonValue()), value: values },
  { requiredKeys: [] },
);
const { node } = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    condition,
    fc.record(
      {
        group: fc.oneof(fc.constantFrom('AND', 'or', 'xor'), fc.jsonValue()),
        conditions: fc.oneof(fc.array(tie('node'), { maxLength: 4 }), fc.jsonValue()),
      },
      { requiredKeys: ['group'] },
    ),
    fc.jsonValue(),
  ),
}));
const filters = fc.oneof(
  fc.record({ conditions: fc.oneof(fc.array(node, { maxLength: 5 }), fc.jsonValue()) }),
  fc.jsonValue(),
);

/** Every request gives a statement, or an error of the client. */
function expectHandled(members: Record<string, unknown>): void {
  try {
    const { text, values: bound } = compileRequest({ operation: 'list', entityName: 't_Pet', members });
    const indexes = new Set([...text.matchAll(/\$(\d+)::/g)].map((match) => Number(match[1])));
    expect(indexes.size).toBe(bound.length);
    expect(bound).not.toContain(undefined);
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    expect(error.status).toBeGreaterThanOrEqual(400);
    expect(error.status).toBeLessThan(500);
    expect(error.details).not.toBe('');
  }
}

test('every filter becomes a statement or a 4xx that says why', () => {
  fc.assert(
    fc.property(filters, (filter) => expectHandled({ filter })),
    cases(500),
  );
});

test('every fetch plan, sort and page becomes a statement or a 4xx that says why', () => {
  const { plan } = fc.letrec<{ plan: unknown }>((tie) => ({
    plan: fc.record(
      {
        name: fc.constantFrom('a', 'b'),
        entity: fc.constantFrom('t_Pet', 't_Owner', 'nothing'),
        properties: fc.array(
          fc.oneof(
            { maxDepth: 4, depthSize: 'small' },
            paths,
            fc.record(
              { name: paths, fetchPlan: fc.oneof(tie('plan'), fc.constantFrom('a', '_base')) },
              { requiredKeys: [] },
            ),
            fc.jsonValue(),
          ),
          { maxLength: 4 },
        ),
      },
      { requiredKeys: [] },
    ),
  }));
  const members = fc.record(
    {
      fetchPlan: fc.oneof(plan, fc.jsonValue()),
      sort: fc.oneof(
        fc.array(paths).map((keys) => keys.join(',-')),
        fc.jsonValue(),
      ),
      limit: fc.oneof(fc.nat({ max: 100 }), fc.jsonValue()),
      offset: fc.jsonValue(),
      returnNulls: fc.jsonValue(),
      returnCount: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(fc.property(members, expectHandled), cases(500));
});

test('no value of a filter becomes part of the text', () => {
  const text = (value: string): string =>
    compileRequest({
      operation: 'list',
      entityName: 't_Pet',
      members: { filter: { conditions: [{ property: 'owner.name', operator: 'contains', value }] } },
    }).text;
  const expected = text('x');
  fc.assert(
    fc.property(
      fc.string().filter((value) => !value.includes('\u0000')),
      (value) => text(value) === expected,
    ),
    cases(500),
  );
});
