import { indentJson } from './indent-json.ts';

test.each([['{"a":[1,{"b":"x, {y}: \\" \\\\"}],"c":{},"d":[ ]}'], ['null'], ['"a\\nb"'], ['[]'], ['[[],{"a":true}]']])(
  '%s has the form of JSON.stringify',
  (text) => {
    expect(indentJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
  },
);

test('digits stay, and what is no JSON stays as it is', () => {
  expect(indentJson('[12345678901234567890.10]')).toBe('[\n  12345678901234567890.10\n]');
  expect(indentJson('{"a"')).toBe('{"a"');
});
