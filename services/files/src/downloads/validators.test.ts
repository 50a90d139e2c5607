import type { BlobInfo } from '../storage/blob-store.ts';
import { allowsRange, isNotModified } from './validators.ts';

const blob: BlobInfo = {
  size: 1,
  lastModified: new Date('2026-11-21T10:00:00.700Z'),
  tag: 'abc',
  sha256: 'abc',
  name: undefined,
  contentType: undefined,
  storedBy: undefined,
};
const none = { ifNoneMatch: undefined, ifModifiedSince: undefined, ifRange: undefined };
const AT = 'Sat, 21 Nov 2026 10:00:00 GMT';
const BEFORE = 'Sat, 21 Nov 2026 09:59:59 GMT';

test.each([
  [none, false],
  [{ ...none, ifNoneMatch: '"abc"' }, true],
  [{ ...none, ifNoneMatch: 'W/"abc"' }, true],
  [{ ...none, ifNoneMatch: '"x", "abc"' }, true],
  [{ ...none, ifNoneMatch: '*' }, true],
  [{ ...none, ifNoneMatch: '"x"' }, false],
  [{ ...none, ifModifiedSince: AT }, true],
  [{ ...none, ifModifiedSince: BEFORE }, false],
  [{ ...none, ifModifiedSince: 'rubbish' }, false],
  [{ ...none, ifNoneMatch: '"x"', ifModifiedSince: AT }, false],
])('with %j the copy being current is %s', (conditions, expected) => {
  expect(isNotModified(conditions, blob)).toBe(expected);
});

test.each([
  [undefined, true],
  ['"abc"', true],
  ['"x"', false],
  ['W/"abc"', false],
  [AT, true],
  [BEFORE, false],
])('with If-Range %j a range being allowed is %s', (ifRange, expected) => {
  expect(allowsRange({ ...none, ifRange }, blob)).toBe(expected);
});
