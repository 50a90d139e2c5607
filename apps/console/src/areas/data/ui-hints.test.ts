import type { DetailedEntityInfo } from '@lintel/client';
import { inUiOrder, listPathsOf } from './ui-hints.ts';

const hints = (ui: DetailedEntityInfo['ui']): Pick<DetailedEntityInfo, 'ui'> => (ui === undefined ? {} : { ui });
const names = ['a', 'b', 'c', 'd'].map((name) => ({ name }));

test('attributes are in the order of the hints, others after them', () => {
  expect(inUiOrder(hints({ order: ['c', 'a'] }), names).map(({ name }) => name)).toEqual(['c', 'a', 'b', 'd']);
  expect(inUiOrder(hints(undefined), names)).toEqual(names);
});

test('the columns of a list are the paths of the plan; a reference with its name alone is one column', () => {
  const listPlan = {
    properties: [
      'number',
      { name: 'customer', fetchPlan: { properties: ['name', 'email'] } },
      { name: 'manager', fetchPlan: { properties: [] } },
      { name: 'category', fetchPlan: { name: '_instance_name', properties: ['code'] } },
    ],
  };
  expect(listPathsOf(hints({ listPlan }))).toEqual([
    'number',
    'customer.name',
    'customer.email',
    'manager',
    'category',
  ]);
  expect(listPathsOf(hints({}))).toBeUndefined();
});
