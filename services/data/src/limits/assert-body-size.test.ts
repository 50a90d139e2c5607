import { assertBodySize, assertQuerySize } from './assert-body-size.ts';

const LIMITS = { batchItems: 3, graphNodes: 6 };
const refusalOf = (body: unknown) => () => assertBodySize(JSON.stringify(body), LIMITS);

test.each([[[{}, {}, {}]], [{ lines: [{}, {}, {}, {}, {}] }], [['a', 'b', 'c']], [{ text: '[[[{},{},{},{}],1,2,3' }]])(
  '%j is within the limits',
  (body) => {
    expect(refusalOf(body)).not.toThrow();
  },
);

// Asserts contract/decisions.md#74.
test('more instances than a batch may have are refused with the name of the limit', () => {
  expect(refusalOf([{}, {}, {}, {}])).toThrow(
    'The request body has 4 items, at most 3 are allowed (svc.rest.limits.batch-items)',
  );
  expect(refusalOf(['a', 'b', 'c', 'd'])).toThrow('svc.rest.limits.batch-items');
});

// Asserts contract/decisions.md#74.
test('more objects at any depth, or items of lists, are refused with the name of the limit', () => {
  expect(refusalOf({ lines: [{}, { discounts: [{}, {}, {}] }, {}] })).toThrow(
    'The request body has 7 objects and list items, at most 6 are allowed (svc.rest.limits.graph-nodes)',
  );
  expect(refusalOf({ tags: ['a', 'b', 'c', 'd', 'e', 'f'] })).toThrow('svc.rest.limits.graph-nodes');
});

test('a body of a query with far more items than a query can use is refused before it is parsed', () => {
  const values = (count: number) => `{"filter":{"conditions":[{"value":[${'1,'.repeat(count)}1]}]}}`;
  expect(() => assertQuerySize(values(100), { listValues: 3 })).not.toThrow();
  expect(() => assertQuerySize(values(29_900), { listValues: 3 })).not.toThrow();
  expect(() => assertQuerySize(values(40_000), { listValues: 3 })).toThrow('(svc.rest.limits.list-values)');
  expect(() => assertQuerySize(values(40_000), { listValues: 20_000 })).not.toThrow();
});
