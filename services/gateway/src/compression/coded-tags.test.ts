import { codedTag, tagOfNotModified, takeCodedTags } from './coded-tags.ts';

test('coded bytes have a tag of their own, as strong or weak as before', () => {
  expect(codedTag('"3.abc"', 'gzip')).toBe('"3.abc--gzip"');
  expect(codedTag('W/"3.abc"', 'br')).toBe('W/"3.abc--br"');
  expect(codedTag('unquoted', 'br')).toBe('unquoted');
});

test('services get the tags that they have made', () => {
  const headers = {
    'if-match': '"1.a--zstd", "2.b"',
    'if-none-match': 'W/"1.a--gzip","1.a--br", "c--other", *',
    'if-range': '"1.a--gzip"',
  };
  expect(takeCodedTags(headers)).toBe('W/"1.a--gzip","1.a--br", "c--other", *');
  expect(headers).toEqual({
    'if-match': '"1.a", "2.b"',
    'if-none-match': 'W/"1.a","1.a", "c--other", *',
    'if-range': '"1.a--gzip"',
  });
  expect(takeCodedTags({ 'if-none-match': '"1.a"' })).toBeUndefined();
  expect(takeCodedTags({})).toBeUndefined();
});

test('a 304 names the bytes that the client holds', () => {
  expect(tagOfNotModified('"1.a"', '"0.x", "1.a--br"')).toBe('"1.a--br"');
  expect(tagOfNotModified('"1.a"', '"1.a--br", "1.a"')).toBe('"1.a"');
  expect(tagOfNotModified('"1.a"', 'W/"1.a--gzip"')).toBe('"1.a--gzip"');
  expect(tagOfNotModified('"1.a"', '"1.b--gzip", *')).toBe('"1.a"');
});
