import { ExactNumber, isNestedDeeper, parseExactJson } from './exact-json.ts';

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

const nested = (levels: number): string => '{"a":['.repeat(levels / 2) + ']}'.repeat(levels / 2);

test('what is nested deeper than 200 levels is refused, and never a fault', () => {
  expect(() => parseExactJson(nested(200), 'The body')).not.toThrow();
  for (const levels of [202, 10_000, 200_000])
    expect(() => parseExactJson(nested(levels), 'The body')).toThrow(
      /The body is nested too deeply: more than 200 levels/,
    );
  expect(() => parseExactJson('['.repeat(100_000), 'The body')).toThrow(/nested too deeply/);
});

test('brackets in texts are no levels, and escapes end none', () => {
  const texts = JSON.stringify(['['.repeat(1_000), '\\"[[['.repeat(100), '"', '\\']);
  expect(isNestedDeeper(texts, 1)).toBe(false);
  expect(isNestedDeeper(`[${texts}]`, 1)).toBe(true);
  expect(isNestedDeeper('[],[],[],[]', 1)).toBe(false);
});
