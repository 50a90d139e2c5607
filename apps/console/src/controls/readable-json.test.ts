import { cases, fc } from '@lintel/testkit/properties';
import { readableJson } from './readable-json.ts';

test.each([
  ['{"a":[1,{}],"b":[]}', '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}'],
  ['"Zoë"', '"Zoë"'],
  ['null', 'null'],
])('%s has line breaks', (text, expected) => {
  expect(readableJson(text)).toBe(expected);
});

test.each(['', ' ', '{"a":', 'undefined', '<a/>', '{"a":1}x'])('%j is no JSON, and shown as it is', (text) => {
  expect(readableJson(text)).toBe(text);
});

test.each(['12345678901234567890', '0.10', '1.0', '1e400', '-0'])('the number %s keeps its digits', (number) => {
  expect(readableJson(`{"n":${number}}`)).toBe(`{\n  "n": ${number}\n}`);
});

test('the value is the same, and a second time changes nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = readableJson(JSON.stringify(value));
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(readableJson(text)).toBe(text);
    }),
    cases(200),
  );
});
