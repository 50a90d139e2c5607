import { writePlan } from './inline-plan.ts';

test.each([
  ['no plan', undefined, undefined],
  ['a name', '_local', '_local'],
  ['attributes', { number: true, status: undefined }, { entity: 'E', properties: ['number'] }],
  [
    'nested plans and names of plans',
    { customer: { address: { city: true } }, lines: '_local' },
    {
      entity: 'E',
      properties: [
        { name: 'customer', fetchPlan: { properties: [{ name: 'address', fetchPlan: { properties: ['city'] } }] } },
        { name: 'lines', fetchPlan: '_local' },
      ],
    },
  ],
  [
    'a selection of members',
    {
      lines: {
        $sort: '-number',
        $limit: 3,
        $offset: 0,
        $count: true,
        $depth: 2,
        $filter: { conditions: [{ property: 'quantity', operator: '=', value: 2 }] },
        quantity: true,
      },
    },
    {
      entity: 'E',
      properties: [
        {
          name: 'lines',
          fetchPlan: { properties: ['quantity'] },
          filter: { conditions: [{ property: 'quantity', operator: '=', value: 2 }] },
          ...{ sort: '-number', limit: 3, offset: 0, count: true, depth: 2 },
        },
      ],
    },
  ],
  ['an extension', { $extends: 'list', number: true }, { entity: 'E', extends: 'list', properties: ['number'] }],
])('%s', (_case, plan, expected) => {
  expect(writePlan(plan, 'E')).toEqual(expected);
});
