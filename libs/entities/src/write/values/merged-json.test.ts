import { isExactObject, readExactJson } from '@lintel/query';
import { mergedJson } from './merged-json.ts';

const merge = (stored: string | null, patch: string, maxLength = 1_000): string => {
  const members = readExactJson(patch);
  if (!isExactObject(members)) throw new Error('The patch must be an object');
  return mergedJson('data', stored, { members, maxLength });
};

// The examples of RFC 7396, Appendix A, whose patches are objects.
// Asserts contract/writing.md#merge-patch.
test.each([
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['{"e":null}', '{"a":1}', '{"a":1,"e":null}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
])('%s merged with %s is %s', (stored, patch, result) => {
  expect(merge(stored, patch)).toBe(result);
});

test('numbers keep their digits, no value counts as an empty object, and __proto__ is a member', () => {
  expect(merge('{"n":12345678901234567890.10}', '{"m":1.50}')).toBe('{"m":1.50,"n":12345678901234567890.10}');
  expect(merge(null, '{"a":1}')).toBe('{"a":1}');
  expect(merge('{}', '{"__proto__":{"x":1}}')).toBe('{"__proto__":{"x":1}}');
});

test('a value cannot grow over the longest one that can be sent', () => {
  expect(() => merge('{"a":"12345"}', '{"b":"12345"}', 20)).toThrow(
    "Attribute 'data' would have 25 characters, at most 20 are allowed (svc.rest.max-body-size)",
  );
});
