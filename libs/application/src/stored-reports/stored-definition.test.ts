import { hasSql, readStoredDefinition, StoredDefinitionError } from './stored-definition.ts';

const read = (value: unknown) => readStoredDefinition(JSON.stringify(value));

const WHOLE = {
  parameters: [
    { alias: 'from', name: 'From', type: 'DATE', required: true, defaultDateIsCurrent: true },
    { alias: 'name', name: 'Name', type: 'TEXT', transformation: 'CONTAINS', hidden: false, defaultValue: '' },
    { alias: 'order', name: 'Order', type: 'ENTITY', entity: 'sales_Order', lookupFilter: { conditions: [] } },
    { alias: 'to', name: 'To', type: 'DATE', defaultExpression: 'endOfMonth-1' },
  ],
  rootDataSets: [{ kind: 'json', name: 'rates', source: { url: 'https://rates.example/all' }, path: '$.rates[*]' }],
  bands: [
    {
      name: 'Orders',
      orientation: 'horizontal',
      position: 1,
      dataSets: [
        { kind: 'query', name: 'orders', query: 'select o.number as number from sales_Order o' },
        { kind: 'entities', name: 'more', entity: 'sales_Order', fetchPlan: '_local', link: 'number' },
      ],
      bands: [{ name: 'Lines', dataSets: [{ kind: 'collection', name: 'lines', field: 'Orders.lines' }] }],
    },
  ],
  formats: { 'Orders.total': '#,##0.00' },
  roles: ['sales-manager'],
};

// Asserts contract/reports.md#definitions.
test('a definition with everything that there is, is read as it was written', () => {
  expect(read(WHOLE)).toEqual(WHOLE);
  expect(read({ bands: [] })).toEqual({ bands: [] });
});

// Asserts contract/reports.md#definitions.
test.each<[string, unknown, RegExp]>([
  ['no object', [], /^The definition: .*expected object/],
  ['no bands', {}, /^bands: /],
  ['an unknown member', { bands: [], script: 'x' }, /^The definition: .*"script"/],
  ['a band without a name', { bands: [{}] }, /^bands\[0\]\.name: /],
  [
    'an unknown kind of data set',
    { bands: [{ name: 'A', dataSets: [{ kind: 'groovy' }] }] },
    /^bands\[0\]\.dataSets\[0\]\.kind: /,
  ],
  [
    'a function',
    { bands: [{ name: 'A', dataSets: [{ kind: 'function', name: 'f', rows: 'x' }] }] },
    /dataSets\[0\]\.kind/,
  ],
  ['an unknown type', { bands: [], parameters: [{ alias: 'a', name: 'A', type: 'INT' }] }, /^parameters\[0\]\.type: /],
  [
    'an unknown default expression',
    { bands: [], parameters: [{ alias: 'a', name: 'A', type: 'DATE', defaultExpression: 'startOfEra' }] },
    /^parameters\[0\]\.defaultExpression: /,
  ],
  ['a format that is no text', { bands: [], formats: { a: 1 } }, /^formats\.a: /],
])('%s is refused with its place', (_case, value, message) => {
  expect(() => read(value)).toThrow(message);
  expect(() => read(value)).toThrow(StoredDefinitionError);
});

test('what is no JSON is refused', () => {
  expect(() => readStoredDefinition('{')).toThrow('The definition is not JSON');
});

test('bands that are nested without end are refused, ordinary ones are not', () => {
  const nested = (levels: number): object =>
    Array.from({ length: levels }).reduce<object>((band, _, at) => ({ name: `B${at}`, bands: [band] }), { name: 'A' });
  for (const text of [JSON.stringify({ bands: [nested(1_000)] }), `${'['.repeat(100_000)}${']'.repeat(100_000)}`])
    expect(() => readStoredDefinition(text)).toThrow('The definition is nested too deeply');
  expect(() => read({ bands: [nested(20)] })).not.toThrow();
});

test('a definition has at most 200 bands, nested ones included', () => {
  const bands = (amount: number) => Array.from({ length: amount }, (_, at) => ({ name: `B${at}` }));
  expect(() => read({ bands: [{ name: 'A', bands: bands(199) }] })).not.toThrow();
  expect(() => read({ bands: [{ name: 'A', bands: bands(200) }] })).toThrow('bands: more than 200 bands');
});

// Asserts contract/report-templates.md#safety.
test('SQL is found wherever it is', () => {
  const sql = { kind: 'sql', name: 's', sql: 'select 1' };
  expect(hasSql(read(WHOLE))).toBe(false);
  expect(hasSql(read({ bands: [], rootDataSets: [sql] }))).toBe(true);
  expect(hasSql(read({ bands: [{ name: 'A', bands: [{ name: 'B', dataSets: [sql] }] }] }))).toBe(true);
});
