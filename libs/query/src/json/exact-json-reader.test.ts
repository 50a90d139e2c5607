import { readExactJson } from './exact-json.ts';
import { ExactJsonReader } from './exact-json-reader.ts';

function readBy(text: string, tokens: number, maxDepth = 200) {
  const reader = new ExactJsonReader(text, maxDepth);
  while (!reader.read(tokens));
  return reader.value;
}

test.each([
  '{"a":10.50,"b":[9007199254740993,1E5,-0,-1.5e-7],"c":"1"}',
  '[" \\u00e9 \\" \\\\ \\n \\ud83d\\ude00 \\\\",""]',
  '{"__proto__":{"a":1},"a":1,"a":[2],"2":true,"1":null}',
  '[[],{},[{}],{"a":[]}]',
  ' \t\r\n"x" ',
])('%s is read as the engine reads it', (text) => {
  const [value, expected] = [readBy(text, 1), readExactJson(text)];
  expect(value).toEqual(expected);
  expect(JSON.stringify(value)).toBe(JSON.stringify(expected));
});

test.each([
  '',
  ' ',
  '[',
  '[1',
  '[1,',
  '[1,]',
  '[,1]',
  '[1 2]',
  '{',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  '{"a":1,}',
  '{,}',
  '{"a" 1}',
  '{a:1}',
  '{1:1}',
  '[}',
  '{]',
  '1 2',
  '01',
  '1.',
  '.5',
  '-',
  '+1',
  '1e',
  'tru',
  'nul',
  'undefined',
  "'a'",
  '"a',
  '"\\',
  '"\\x"',
  '"\\u12"',
  '"\n"',
  '"a\u0001"',
  '[1]]',
  '\u00a0[]',
  '\ufeff[]',
])('%j is no JSON', (text) => {
  expect(() => readExactJson(text)).toThrow(SyntaxError);
  expect(() => readBy(text, 3)).toThrow(SyntaxError);
});

// Asserts contract/decisions.md#74.
test('deep nesting is refused at the limit and does not overflow the stack', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(JSON.stringify(readBy(nested(200), 1_000))).toBe(nested(200));
  expect(() => readBy(nested(201), 1_000)).toThrow(RangeError);
  expect(() => readBy('{"a":'.repeat(1_000_000), 10_000)).toThrow(RangeError);
  expect(JSON.stringify(readBy(nested(3_000), 1_000_000, 3_000))).toBe(nested(3_000));
});
