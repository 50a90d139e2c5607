import type { PathModel } from '../paths/resolve-path.ts';
import { queryOfWords, searchNamesOf } from './search-names.ts';

const SEARCHED: Readonly<Record<string, object>> = {
  number: { searchable: 'prefix' },
  notes: { searchable: 'words' },
  customer: { searchable: 'targets' },
  name: { searchable: 'prefix' },
};

const attribute = (name: string, type = 'string', cardinality = 'NONE') => ({
  name,
  type,
  attributeType: type.startsWith('t_') ? 'ASSOCIATION' : 'DATATYPE',
  cardinality,
  persistent: name !== 'computed',
  ...SEARCHED[name],
});

const entities = {
  t_Order: [
    attribute('number'),
    attribute('amount', 'decimal'),
    attribute('notes'),
    attribute('computed'),
    attribute('secret'),
    attribute('customer', 't_Customer', 'MANY_TO_ONE'),
    attribute('lines', 't_Line', 'ONE_TO_MANY'),
  ],
  t_Customer: [attribute('name'), attribute('city')],
  t_Line: [attribute('product')],
};
const model = {
  entities: new Map(
    Object.entries(entities).map(([entityName, properties]) => [
      entityName,
      { entityName, properties, nameAttributes: [properties[0]?.name] },
    ]),
  ),
  rights: { may: (name: string) => name !== 't_Line', mayView: (_: string, name: string) => name !== 'secret' },
  captions: { attribute: () => undefined },
} as unknown as PathModel;

test('a search looks at the texts of the name and of the columns, of a reference at those of its name', () => {
  expect(searchNamesOf(model, 't_Order')).toEqual(['number']);
  const columns = ['number', 'amount', 'notes', 'computed', 'secret', 'customer', 'customer.city', 'lines', 'none'];
  expect(searchNamesOf(model, 't_Order', columns)).toEqual(['number', 'notes', 'customer.name', 'customer.city']);
  expect(searchNamesOf(model, 't_None', ['x'])).toEqual([]);
});

// Asserts contract/search.md#q.
test('words are a query where it searches all texts, by beginnings of words', () => {
  const query = (words: string, ...names: string[]) => queryOfWords(model, 't_Order', words, names);
  expect(query('a 1', 'number', 'customer.name')).toBe('a 1');
  expect(query('a', 'number', 'notes')).toBeUndefined();
  expect(query('a', 'number', 'customer.city')).toBeUndefined();
  expect(query('a', 'lines.product')).toBeUndefined();
  expect([query('a'), query('&', 'number'), query('', 'number'), query('x'.repeat(201), 'number')]).toEqual(
    Array(4).fill(undefined),
  );
});
