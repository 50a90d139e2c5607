import { parseExact, wrapNumbers } from './parse-exact.ts';
import { typeNumbers } from './type-numbers.ts';
import { writeJson } from './write-json.ts';

const kinds = {
  sales_Order: { amount: true, serial: true, totals: { net: true }, rates: true },
  sales_Line: { price: true },
} as const;

/** With the callback of `JSON.parse` that gets no text, as before 2024. */
const parseWrapped = (json: string): unknown => {
  const parsed = JSON.parse(wrapNumbers(json), (_key, value) => value);
  return typeNumbers(unwrap(parsed), {});
};
const unwrap = (value: unknown): unknown =>
  (value as Record<string, unknown> | null)?.['\u0000'] ?? (Array.isArray(value) ? value.map(unwrap) : value);

test('decimals and 64-bit integers of entities are texts with all their digits, at every level', () => {
  const json = `{"_entityName":"sales_Order","amount":10.50,"serial":9007199254740993,"count":3,"weight":1.5,
    "totals":{"net":0.10},"rates":[1.00,2],"lines":[{"_entityName":"sales_Line","price":1e2,"position":7}]}`;
  expect(parseExact(json, kinds)).toEqual({
    _entityName: 'sales_Order',
    amount: '10.50',
    serial: '9007199254740993',
    count: 3,
    weight: 1.5,
    totals: { net: '0.10' },
    rates: ['1.00', '2'],
    lines: [{ _entityName: 'sales_Line', price: '1e2', position: 7 }],
  });
});

test.each([
  ['10.50', 10.5],
  ['100', 100],
  ['-0.10', -0.1],
  ['1e3', 1000],
  ['0.000', 0],
  ['9007199254740993', '9007199254740993'],
  ['0.10000000000000000001', '0.10000000000000000001'],
  ['1e400', '1e400'],
])('%s of an unknown type is a number if it keeps its value: %p', (source, expected) => {
  expect(parseExact(`[${source}]`, kinds)).toEqual([expected]);
});

test('the root may have the attributes of an entity that it does not name', () => {
  expect(parseExact('{"entity":"sales_Order","amount":1.0}', kinds, kinds.sales_Order)).toEqual({
    entity: 'sales_Order',
    amount: '1.0',
  });
});

test('names of attributes never lead to members of prototypes', () => {
  expect(parseExact('{"_entityName":"constructor","toString":1.50,"__proto__":{"x":1.50}}', kinds)).toMatchObject({
    toString: 1.5,
  });
});

test('without the text of a number, numbers are found in the JSON, and never in its texts', () => {
  const json = '{"a":10.50,"b":"x\\"10.50","c":[9007199254740993,"\\\\",-1.0e5],"d":5}';
  expect(wrapNumbers(json)).toBe(
    '{"a":{"\\u0000":"10.50"},"b":"x\\"10.50","c":[{"\\u0000":"9007199254740993"},"\\\\",{"\\u0000":"-1.0e5"}],"d":5}',
  );
  expect(parseWrapped('[5,"1.50"]')).toEqual([5, '1.50']);
});

test('64-bit integers of requests keep all digits', () => {
  expect(writeJson({ id: 9007199254740993n, name: 'x' })).toMatch(/^\{"id":"?9007199254740993"?,"name":"x"\}$/);
});
