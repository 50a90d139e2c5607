import type { Condition } from './condition.ts';
import { namesDynamic } from './names-dynamic.ts';

const by = (property: string): Condition => ({ property, operator: '=', value: 1 });

test.each([
  [true, { conditions: [by('number'), { group: 'NOT', conditions: [by('customer.+vip')] }] }],
  [true, { conditions: [by('+vip')] }],
  [false, { conditions: [by('number'), by('data.c+1'), by('data.+1.x')] }],
  [false, { conditions: [] }],
] as const)('%s: a filter names dynamic attributes by the last name of a path, %j', (expected, filter) => {
  expect(namesDynamic(filter)).toBe(expected);
});
