import type { Condition } from './condition.ts';
import { namesDynamic, sortsByDynamic } from './names-dynamic.ts';

const by = (property: string): Condition => ({ property, operator: '=', value: 1 });

test.each([
  [true, { conditions: [by('number'), { group: 'NOT', conditions: [by('customer.+vip')] }] }],
  [true, { conditions: [by('+vip')] }],
  [false, { conditions: [by('number'), by('data.c+1'), by('data.+1.x')] }],
  [false, { conditions: [] }],
] as const)('%s: a filter names dynamic attributes by the last name of a path, %j', (expected, filter) => {
  expect(namesDynamic(filter)).toBe(expected);
});

test.each([
  [true, '++vip'],
  [true, 'name, -+vip'],
  [true, '-customer.+vip'],
  [false, '+vip'],
  [false, 'name,+date,-number'],
  [false, undefined],
])('%s: a sort names dynamic attributes with a sign of their own, %s', (expected, sort) => {
  expect(sortsByDynamic(sort)).toBe(expected);
});
