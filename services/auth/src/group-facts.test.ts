import { groupFacts } from './group-facts.ts';

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

test('few facts are a group each', () => {
  expect(groupFacts([])).toEqual([]);
  expect(groupFacts(upTo(20))).toEqual(upTo(20).map((each) => ({ first: each, group: [each] })));
});

test('many facts are groups of at most 500, in their order', () => {
  const groups = groupFacts(upTo(1_101));
  expect(groups.map(({ first, group }) => [first, group.length])).toEqual([
    [0, 500],
    [500, 500],
    [1_000, 101],
  ]);
  expect(groups.flatMap(({ group }) => group)).toEqual(upTo(1_101));
});
