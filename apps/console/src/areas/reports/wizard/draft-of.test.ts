import { attribute, children, entity, modelOf, reference } from '../../../../test/page/model-of-tests.ts';
import { type DraftChoice, draftOf, draftOperators, draftPaths, usualOperators } from './draft-of.ts';

const STATUS = attribute('status', 's.Status', { attributeType: 'ENUM' });
const MODEL = [
  entity('Order', [
    attribute('number'),
    attribute('total', 'decimal'),
    attribute('day', 'date'),
    attribute('data', 'json'),
    attribute('photo', 'byteArray'),
    attribute('age', 'int', { persistent: false }),
    STATUS,
    reference('customer', 'Customer'),
    children('lines', 'Line', 'order'),
  ]),
  entity('Customer', [attribute('name'), reference('country', 'Country'), reference('parent', 'Customer')]),
  entity('Country', [attribute('code'), reference('continent', 'Continent')]),
  entity('Continent', [attribute('name')]),
  entity('Line', [attribute('quantity', 'int')]),
];
const model = modelOf(MODEL);
const paths = draftPaths(model, 'Order');
const values = (of: typeof paths) => of.map(({ value }) => value);

test('a report shows stored attributes of one value, also of what two references lead to', () => {
  expect(values(paths)).toEqual([
    ...['number', 'total', 'day', 'status'],
    ...['customer.name', 'customer.country.code', 'customer.parent.name'],
  ]);
  expect(paths.at(-2)?.label).toBe('CUSTOMER › COUNTRY › CODE');
});

test('attributes and entities that the user may not read are left out, with what is behind them', () => {
  const without = ['Order.total', 'Country:read', 'Customer.parent'];
  expect(values(draftPaths(modelOf(MODEL, { without }), 'Order'))).toEqual([
    ...['number', 'day', 'status', 'customer.name'],
  ]);
  expect(draftPaths(model, 'Unknown')).toEqual([]);
});

const pathOf = (name: string) =>
  paths.find(({ value }) => value === name) ?? { value: '', label: '', attribute: STATUS };

test('a text is searched, numbers and dates have two limits, and other values are equal', () => {
  expect(['number', 'total', 'day', 'status'].map((name) => usualOperators(pathOf(name)))).toEqual([
    ...[['contains'], ['>=', '<='], ['>=', '<='], ['=']],
  ]);
});

test('a condition has the operators of a filter, without lists and negated searches', () => {
  expect(draftOperators(pathOf('number'))).toEqual([
    ...['contains', 'startsWith', 'endsWith', '=', '<>', 'isNull', 'notEmpty'],
  ]);
});

const CHOICE: DraftChoice = {
  ...{ title: 'Orders', attributes: ['number', 'total', 'day'], groups: [], sums: [], asked: [] },
  ...{ operators: {}, template: 'XLSX' },
};

test('an attribute that groups rows is no column, and has no sum', () => {
  const choice = { ...CHOICE, groups: ['day', 'total'], sums: ['total', 'unknown'] };
  expect(draftOf('Order', choice, paths)).toMatchObject({
    attributes: ['number'],
    groups: ['day', 'total'],
    totals: [],
  });
});

test('sums are totals of columns', () => {
  expect(draftOf('Order', { ...CHOICE, sums: ['total'] }, paths).totals).toEqual([
    { attribute: 'total', function: 'sum' },
  ]);
});

test('a run is asked for values of the chosen operators, else of the usual ones, in the order of the attributes', () => {
  const choice = { ...CHOICE, asked: ['day', 'number', 'customer.name'], operators: { number: ['=', '<>'], day: [] } };
  expect(draftOf('Order', choice, paths).filter).toEqual([
    { attribute: 'number', operator: '=' },
    { attribute: 'number', operator: '<>' },
    { attribute: 'customer.name', operator: 'contains' },
  ]);
});

test('a choice of another entity asks for nothing', () => {
  expect(draftOf('Line', { ...CHOICE, asked: ['number'] }, draftPaths(model, 'Line')).filter).toEqual([]);
});
