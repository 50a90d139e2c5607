import { cases, fc } from '@lintel/testkit/properties';
import { scanJson } from './scan-json.ts';

interface Counted {
  readonly nodes: number;
  readonly depth: number;
}

function count(value: unknown): Counted {
  if (typeof value !== 'object' || value === null) return { nodes: 0, depth: 0 };
  const inner = Object.values(value).map((member) => {
    const isObject = typeof member === 'object' && member !== null && !Array.isArray(member);
    const own = count(member);
    return { ...own, nodes: own.nodes + (Array.isArray(value) && !isObject ? 1 : 0) };
  });
  return {
    nodes: inner.reduce((sum, { nodes }) => sum + nodes, Array.isArray(value) ? 0 : 1),
    depth: inner.reduce((deepest, { depth }) => Math.max(deepest, depth), 0) + 1,
  };
}

const valuesIn = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 1
    : Object.values(value).reduce((sum, member) => sum + valuesIn(member), 1);

test('the counts are those of the values', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 1), (value, space) => {
      const size = scanJson(JSON.stringify(value, null, space), 200);
      expect(size).toMatchObject({ ...count(value), items: Array.isArray(value) ? value.length : 0 });
      expect(size.values).toBeGreaterThanOrEqual(valuesIn(value) - 1);
    }),
    cases(1_000),
  );
});
