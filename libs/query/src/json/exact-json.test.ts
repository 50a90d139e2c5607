import { ExactNumber, parseExactJson } from './exact-json.ts';

test('numbers keep every digit, in and out', () => {
  const text = '{"a":10.50,"b":[9007199254740993,1E5,-0],"c":"1"}';
  const value = parseExactJson(text, 'The body');
  expect(value).toMatchObject({ a: new ExactNumber('10.50') });
  expect(JSON.stringify(value)).toBe(text);
});

test('what is not JSON is refused by name', () => {
  expect(() => parseExactJson('{a:1}', 'The body')).toThrow('The body is not valid JSON');
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  expect(() => parseExactJson(deep, 'The body')).toThrow(/The body is (nested too deeply|not valid JSON)/);
});
