import type { DetailedEntityInfo, InstanceChange } from '@lintel/client';
import { changeRows } from './change-rows.ts';
import { rehearsedRows } from './rehearsed-rows.ts';

const attribute = (name: string, type = 'string', attributeType = 'DATATYPE') => ({ name, type, attributeType });
const entities = new Map(
  [
    {
      entityName: 'Order',
      properties: [
        attribute('number'),
        attribute('address', 'Address', 'EMBEDDED'),
        attribute('lines', 'Line', 'COMPOSITION'),
      ],
    },
    { entityName: 'Address', properties: [attribute('city'), attribute('zip')] },
    { entityName: 'Line', properties: [attribute('quantity', 'int')] },
  ].map((entity) => [entity.entityName, entity as unknown as DetailedEntityInfo]),
);
const captions = { 'Order.lines': 'Lines', 'Line.quantity': 'Quantity', 'Address.city': 'City', Line: 'Order line' };
const model = { entities, captions };
const change = (part: Partial<InstanceChange>) => ({ attributes: [], ...part }) as InstanceChange;

test('a row is a value, also one of an embedded object or of a part, with the captions on the way', () => {
  const rows = changeRows(
    model,
    'Order',
    change({
      attributes: [
        { attribute: 'number', old: '1', new: '2' },
        {
          attribute: 'address',
          old: { _entityName: 'Address', city: 'Ulm', zip: '1' },
          new: { city: 'Bonn', zip: '1' },
        },
      ],
      children: [
        {
          ...{ attribute: 'lines', entity: 'Line', id: '0123456789', operation: 'updated' },
          attributes: [{ attribute: 'quantity', old: 1, new: 3 }],
        },
        {
          ...{ attribute: 'lines', entity: 'Line', id: 7, operation: 'created' },
          attributes: [{ attribute: 'quantity', new: 2 }],
        },
      ],
    }),
  );
  expect(rows.map(({ path, before, after, part }) => [path.join(' › '), before, after, part])).toEqual([
    ['number', '1', '2', undefined],
    ['address › City', 'Ulm', 'Bonn', undefined],
    ['Lines › #01234567 › Quantity', 1, 3, undefined],
    ['Lines › #7', undefined, undefined, 'created'],
    ['Lines › #7 › Quantity', undefined, 2, undefined],
  ]);
});

test('a rehearsal has rows of all instances, without what the platform sets, and the shown instance has no caption', () => {
  const rows = rehearsedRows(
    model,
    [
      {
        ...{ entity: 'Order', id: 'o', change: 'updated' },
        attributes: [
          { attribute: 'version', old: 1, new: 2 },
          { attribute: 'number', old: '1', new: '2' },
        ],
      },
      { entity: 'Line', id: 'l', change: 'deleted', attributes: [] },
    ],
    { entity: 'Order', id: 'o' },
  );
  expect(rows.map(({ path, part }) => [path.join(' › '), part])).toEqual([
    ['number', undefined],
    ['Order line › #2', 'deleted'],
  ]);
});

// Asserts contract/personal-data.md#masks.
test('a masked value is a row without values, below the members of an embedded object that are shown', () => {
  const attributes = [
    { attribute: 'number', masked: true as const },
    { attribute: 'address', old: { city: 'Ulm' }, new: { city: 'Bonn' }, masked: true as const },
  ];
  const rows = changeRows(model, 'Order', change({ attributes }));
  expect(rows.map(({ path, before, after, isMasked = false }) => [path.join('.'), before, after, isMasked])).toEqual([
    ['number', undefined, undefined, true],
    ['address.City', 'Ulm', 'Bonn', false],
    ['address', undefined, undefined, true],
  ]);
});
