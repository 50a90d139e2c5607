import type { AttributeInfo, DetailedEntityInfo } from '@lintel/client';
import { createRights } from '@lintel/react';
import { createText } from '../../../../language/create-text.ts';
import { describeNode } from './describe-node.ts';
import { collectionsOf, draftOf, emptyMembers, isComplete } from './filter-draft.ts';

const attribute = (name: string, type: string, more: Partial<AttributeInfo> = {}) =>
  ({ name, type, attributeType: 'DATATYPE', cardinality: 'NONE', persistent: true, ...more }) as AttributeInfo;
const lines = { attributeType: 'COMPOSITION', cardinality: 'ONE_TO_MANY' } as const;
const entity = (entityName: string, properties: readonly AttributeInfo[]) =>
  [entityName, { entityName, properties } as unknown as DetailedEntityInfo] as const;
const model = {
  captions: { 'Order.lines': 'Lines', 'Order.due': 'Due', 'Line.quantity': 'Quantity' },
  entities: new Map([
    entity('Order', [attribute('lines', 'Line', lines), attribute('due', 'date'), attribute('date', 'date')]),
    entity('Line', [attribute('quantity', 'int')]),
  ]),
  enums: new Map(),
  rights: createRights({
    authorities: [],
    entities: ['Order', 'Line'].map((name) => ({ target: `${name}:read`, value: 1 })),
    entityAttributes: ['Order:lines', 'Order:due', 'Line:quantity'].map((target) => ({ target, value: 1 })),
    specifics: [],
  }),
};
const texts = {
  'filter.depth.other': '({count} levels)',
  'filter.joined.OR': 'any of',
  'filter.members.count': 'number',
  'filter.members.some': 'one matches all',
  'filter.now': 'now',
  'filter.startOf.month': 'start of the month',
  'operator.<': 'before',
  'operator.>': 'greater than',
  'operator.isNull': 'is empty',
  'operator.under': 'below',
};
const words = { model, text: createText('en', texts, {}), locale: 'en' };
const greater = { property: 'quantity', operator: '>', value: 1000 };

test.each([
  [{ property: 'lines', operator: 'under', value: 'X', depth: 2 }, 'Lines below X (2 levels)'],
  [{ some: 'lines', conditions: [greater] }, 'Lines: one matches all (Quantity greater than 1,000)'],
  [{ some: 'lines' }, 'Lines: one matches all'],
  [{ count: 'lines', operator: '>', value: 2 }, 'Lines: number greater than 2'],
  [{ property: 'due', operator: '<', valueOf: 'date' }, 'Due before date'],
  [{ property: 'due', operator: '<', value: { now: '-P7D' } }, 'Due before now -P7D'],
  [
    { property: 'due', operator: '<', value: { startOf: 'month', plus: 'P1M', timeZone: 'Europe/Berlin' } },
    'Due before start of the month P1M Europe/Berlin',
  ],
  [{ group: 'or', conditions: [{ property: 'due', operator: 'isNull' }, 5] }, 'any of (Due is empty; 5)'],
  [{ property: 'none', operator: '<', value: 'x' }, 'none before "x"'],
])('%j is %s', (node, expected) => {
  expect(describeNode(node, 'Order', words)).toBe(expected);
});

test('a group about a collection is complete with the collection and its conditions', () => {
  const of = (path: string) => ({ quantifier: 'some', path }) as const;
  const [line] = collectionsOf(model, 'Order');
  expect([line?.path, collectionsOf(model, 'Line')]).toEqual(['lines', []]);
  const complete = draftOf({ conditions: [{ some: 'lines', conditions: [greater] }] });
  const [group = emptyMembers('')] = complete.members;
  const judge = (member: object) => isComplete(model, 'Order', { ...complete, members: [{ ...group, ...member }] });
  expect([judge({}), judge({ of: of('') }), judge({ of: of('due') }), judge(emptyMembers(''))]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
