import { buildModel, json, standardEntity, string, toMany, toOne } from '@lintel/metadata';
import { readExactJson } from '@lintel/query';
import { withoutInstanceNames } from './read-saved.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Shelf', { attributes: { name: string(20), books: toMany('t_Book', 'shelf') } }),
    standardEntity('t_Book', { attributes: { shelf: toOne('t_Shelf'), facts: json() } }),
  ],
});

const shown = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(withoutInstanceNames(model, readExactJson(JSON.stringify(value)))));

test('names of nested instances are removed, also of members of collections and dynamic attributes', () => {
  const named = { _entityName: 't_Shelf', _instanceName: 'A', id: '1' };
  const { _instanceName: _, ...unnamed } = named;
  const book = { _entityName: 't_Book', _instanceName: 'B', shelf: named, '+friend': named, '+friends': [named] };
  expect(shown({ ...named, books: [book] })).toEqual({
    ...unnamed,
    books: [{ _entityName: 't_Book', shelf: unnamed, '+friend': unnamed, '+friends': [unnamed] }],
  });
});

test('values of JSON attributes and digits of numbers stay', () => {
  const facts = { _entityName: 't_Shelf', _instanceName: 'mine' };
  expect(shown({ _entityName: 't_Book', _instanceName: 'B', facts })).toEqual({ _entityName: 't_Book', facts });
  const text = '{"_entityName":"t_Shelf","+weight":10.50}';
  expect(JSON.stringify(withoutInstanceNames(model, readExactJson(text)))).toBe(text);
});
