import type { BlobInfo } from '../storage/blob-store.ts';
import { allowsRange, assertPreconditions, isNotModified } from './validators.ts';

const blob: BlobInfo = {
  size: 1,
  lastModified: new Date('2026-11-21T10:00:00.700Z'),
  tag: 'abc',
  sha256: 'abc',
  name: undefined,
  contentType: undefined,
  storedBy: undefined,
};
const none = {
  ifMatch: undefined,
  ifUnmodifiedSince: undefined,
  ifNoneMatch: undefined,
  ifModifiedSince: undefined,
  ifRange: undefined,
};
const AT = 'Sat, 21 Nov 2026 10:00:00 GMT';
const BEFORE = 'Sat, 21 Nov 2026 09:59:59 GMT';

// Asserts contract/files.md#download.
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

// Asserts contract/files.md#download.
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

// Asserts contract/files.md#download.
test.each([
  [none, true],
  [{ ...none, ifMatch: '"abc"' }, true],
  [{ ...none, ifMatch: '*' }, true],
  [{ ...none, ifMatch: '"x"' }, false],
  [{ ...none, ifMatch: '"abc"', ifUnmodifiedSince: BEFORE }, true],
  [{ ...none, ifUnmodifiedSince: AT }, true],
  [{ ...none, ifUnmodifiedSince: BEFORE }, false],
  [{ ...none, ifUnmodifiedSince: 'rubbish' }, true],
])('with %j the precondition holding is %s', (conditions, expected) => {
  const check = (): void => assertPreconditions(conditions, blob);
  if (expected) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: 'REQ_PRECONDITION_FAILED', status: 412 }));
});
