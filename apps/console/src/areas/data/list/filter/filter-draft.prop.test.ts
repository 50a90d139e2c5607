import type { ConditionGroup } from '@lintel/client';
import { cases, fc } from '@lintel/testkit/properties';
import { draftOf, filterOf } from './filter-draft.ts';

const PATH = fc.constantFrom('number', 'customer.name', 'lines.product.name', 'data.a.0');
const VALUE = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.boolean(),
  fc.array(fc.string(), { minLength: 1 }),
);
const CONDITION = fc.oneof(
  fc.record({ property: PATH, operator: fc.constantFrom('=', '<>', '>', 'in', 'contains'), value: VALUE }),
  fc.record({ property: PATH, operator: fc.constantFrom('isNull', 'notEmpty') }),
  fc.record({ property: PATH, operator: fc.constantFrom('=', '<'), valueOf: PATH }),
  fc.record({ property: PATH, operator: fc.constant('>='), value: fc.record({ startOf: fc.constant('day') }) }),
  fc.record({ count: PATH, operator: fc.constant('>'), value: fc.nat() }),
);
const SOME = { minLength: 1, maxLength: 3 };
const { node } = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    CONDITION,
    fc.record({ group: fc.constantFrom('AND', 'OR', 'NOT'), conditions: fc.array(tie('node'), SOME) }),
    ...['some', 'every', 'none'].map((name) => fc.record({ [name]: PATH, conditions: fc.array(tie('node'), SOME) })),
  ),
}));

/** A group that joins all is the root itself where the root has nothing else. */
function unwrapped(conditions: readonly unknown[]): readonly unknown[] {
  const [only] = conditions as readonly { readonly group?: string; readonly conditions?: readonly unknown[] }[];
  return conditions.length === 1 && only?.group === 'AND' ? (only.conditions ?? []) : conditions;
}

test('a filter that was opened and applied without a change is the same', () => {
  fc.assert(
    fc.property(fc.array(node, SOME), (conditions) => {
      const filter = { conditions } as unknown as ConditionGroup;
      expect(filterOf(draftOf(filter))).toEqual({ conditions: unwrapped(conditions) });
    }),
    cases(100),
  );
});

test('any content of an address becomes a draft', () => {
  fc.assert(
    fc.property(fc.array(fc.anything({ maxDepth: 2 }), { maxLength: 5 }), (conditions) => {
      const draft = draftOf({ conditions } as unknown as ConditionGroup);
      expect(draft.members.length).toBeGreaterThan(0);
      expect(filterOf(draft)?.conditions.length).not.toBe(0);
    }),
    cases(100),
  );
});
