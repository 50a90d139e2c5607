import { readExactJson } from '../json/exact-json.ts';
import { jsonText, MAX_JSON_VALUE_DEPTH, plainJson } from './json-text.ts';

test.each([
  ['{"b":1.50,"a":[true,null,"\\""]}', '{"a":[true,null,"\\""],"b":1.50}'],
  ['{"toJSON":1,"__proto__":{"x":2}}', '{"__proto__":{"x":2},"toJSON":1}'],
  ['12345678901234567890.10', '12345678901234567890.10'],
  ['""', '""'],
])('%s is stored as %s', (given, text) => {
  expect(jsonText(readExactJson(given))).toBe(text);
});

test.each(['"\\u0000"', '{"\\u0000":1}', '["\\ud800"]', '1e1000', '9'.repeat(401)])('%s cannot be stored', (given) => {
  expect(jsonText(readExactJson(given))).toBeUndefined();
});

test('values are stored to the maximum depth', () => {
  const nested = (depth: number) => jsonText(readExactJson(`${'['.repeat(depth)}${']'.repeat(depth)}`));
  expect(nested(MAX_JSON_VALUE_DEPTH)).toHaveLength(2 * MAX_JSON_VALUE_DEPTH);
  expect(nested(MAX_JSON_VALUE_DEPTH + 1)).toBeUndefined();
});

test('application code gets plain numbers', () => {
  expect(plainJson(readExactJson('{"a":[1.5,{"b":2}]}'))).toEqual({ a: [1.5, { b: 2 }] });
});
