import type { AttributeInfo, EntityInfo } from '@lintel/client';
import { entityOfRows, resultColumns } from './result-columns.ts';

const entity: EntityInfo = {
  entityName: 'E',
  ancestor: null,
  properties: ['id', 'a', 'b', 'c'].map((name) => ({ name }) as AttributeInfo),
};

test('instances have the attributes of some row, in the order of the entity, then other members', () => {
  const rows = [
    { _entityName: 'E', _instanceName: 'x', id: 1, b: 1 },
    { id: 2, '+d': 1, a: 2 },
  ];
  expect(resultColumns(rows, entity).map(({ name }) => name)).toEqual(['a', 'b', '+d']);
});

test('other rows have all of their members', () => {
  expect(resultColumns([{ country: 'DE' }, { id: 1 }], undefined).map(({ name }) => name)).toEqual(['country', 'id']);
});

test('rows are instances of an entity only if all of them are, and the user sees the entity', () => {
  const entities = new Map([['Order', {}]]);
  const of = (...names: readonly unknown[]) =>
    entityOfRows(
      names.map((_entityName) => ({ _entityName })),
      entities,
    );
  expect([of('Order', 'Order'), of('Order', 'Customer'), of('Customer'), of(undefined), of(1), of()]).toEqual([
    ...['Order', undefined, undefined, undefined, undefined, undefined],
  ]);
});
