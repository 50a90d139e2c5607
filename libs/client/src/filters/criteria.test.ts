import type { UntypedApi } from '../model/api-types.ts';
import { type Filter, type Sort, writeFilter, writeSort } from './criteria.ts';

type Any = Filter<UntypedApi, string>;
const path = (names: string): { readonly property: string } => ({ property: names });

test.each<[string, Any | undefined, unknown]>([
  ['nothing', undefined, []],
  [
    'conditions as the API has them',
    { conditions: [{ ...path('a'), operator: '=', value: 1 }] },
    [{ property: 'a', operator: '=', value: 1 }],
  ],
  ['one condition', (o, { eq }) => eq(o.a, 5), [{ property: 'a', operator: '=', value: 5 }]],
  [
    'a path through references',
    (o, { contains }) => contains(o.customer.name, 'x'),
    [{ property: 'customer.name', operator: 'contains', value: 'x' }],
  ],
  [
    'terms that all hold, without those that are skipped',
    (o, { and, isNull, notNull }) => and(isNull(o.a), undefined, false, '', notNull(o.b)),
    [
      { property: 'a', operator: 'isNull', value: true },
      { property: 'b', operator: 'notEmpty', value: true },
    ],
  ],
  [
    'alternatives',
    (o, { or, gt, oneOf }) => or(gt(o.a, 1), oneOf(o.b, [])),
    [
      {
        group: 'OR',
        conditions: [
          { property: 'a', operator: '>', value: 1 },
          { property: 'b', operator: 'in', value: [] },
        ],
      },
    ],
  ],
  [
    'conditions of which none holds',
    (o, { not, eq, isNull }) => not(eq(o.a, 1), isNull(o.b)),
    [
      {
        group: 'NOT',
        conditions: [
          { property: 'a', operator: '=', value: 1 },
          { property: 'b', operator: 'isNull', value: true },
        ],
      },
    ],
  ],
  [
    'one member of a collection for which all holds',
    (o, { some, and, eq, gt, none, count }) =>
      and(
        some(o.customer.orders, (order) => and(eq(order.status, 'NEW'), gt(order.amount, 1))),
        none(o.lines),
        count(o.lines, '>', 3, (line) => gt(line.quantity, 1)),
      ),
    [
      {
        some: 'customer.orders',
        conditions: [
          {
            group: 'AND',
            conditions: [
              { property: 'status', operator: '=', value: 'NEW' },
              { property: 'amount', operator: '>', value: 1 },
            ],
          },
        ],
      },
      { none: 'lines' },
      {
        count: 'lines',
        operator: '>',
        value: 3,
        conditions: [{ property: 'quantity', operator: '>', value: 1 }],
      },
    ],
  ],
  [
    'another attribute, and times relative to now',
    (o, { or, gt, eq, gte }) => or(gt(o.deliveredAt, o.promisedAt), eq(o.a, null), gte(o.date, { now: '-P7D' })),
    [
      {
        group: 'OR',
        conditions: [
          { property: 'deliveredAt', operator: '>', valueOf: 'promisedAt' },
          { property: 'a', operator: '=', value: null },
          { property: 'date', operator: '>=', value: { now: '-P7D' } },
        ],
      },
    ],
  ],
  [
    'branches of a tree',
    (o, { and, under, above }) => and(under(o.site, 'x'), above(o.site, 7, 2)),
    [
      { property: 'site', operator: 'under', value: 'x' },
      { property: 'site', operator: 'above', value: 7, depth: 2 },
    ],
  ],
  [
    'every member alone',
    (o, { every, eq }) => every(o.lines, (line) => eq(line.quantity, 1)),
    [{ every: 'lines', conditions: [{ property: 'quantity', operator: '=', value: 1 }] }],
  ],
])('%s', (_case, filter, conditions) => {
  expect(writeFilter(filter)).toEqual({ conditions });
});

test.each<[Sort<UntypedApi, string> | undefined, string | undefined]>([
  [undefined, undefined],
  ['-date,number', '-date,number'],
  [(o) => o.date, 'date'],
  [(o, desc) => [desc(o.date), o.customer.name], '-date,customer.name'],
])('a sort %# is the text of the API', (sort, text) => {
  expect(writeSort(sort)).toBe(text);
});

test('alternatives without one would select everything, and are refused', () => {
  expect(() => writeFilter((_o: unknown, { or }) => or(false, undefined))).toThrow(TypeError);
  expect(() => writeFilter((_o: unknown, { not }) => not(false, undefined))).toThrow(TypeError);
});
