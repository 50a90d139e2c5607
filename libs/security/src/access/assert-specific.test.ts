import { PlatformError } from '@lintel/errors';
import { assertSpecific } from './assert-strong-login.ts';

const access = (granted: readonly string[]) => ({
  hasSpecific: (name: string) => granted.includes(name),
  afterLogin: undefined,
});

function refusal(name: string): PlatformError {
  try {
    assertSpecific(access([]), name, 'FILE_UPLOAD_DENIED', 'File upload is not permitted');
  } catch (error) {
    if (error instanceof PlatformError) return error;
  }
  throw new Error('it was not refused');
}

// Asserts contract/errors.md#needed-policy.
test('a refusal names the policy in a header; code and words stay', () => {
  const { code, details, headers } = refusal('rest.fileUpload.enabled');
  expect([code, details]).toEqual(['FILE_UPLOAD_DENIED', 'File upload is not permitted']);
  expect(headers).toEqual({ 'X-Needed-Policy': 'rest.fileUpload.enabled' });
});

// Asserts contract/errors.md#needed-policy.
test('a name with characters that headers do not have is escaped', () => {
  expect(refusal('zahlen für\nalle').headers).toEqual({ 'X-Needed-Policy': 'zahlen%20f%C3%BCr%0Aalle' });
});

test('a caller who has the policy goes on', () => {
  expect(() => assertSpecific(access(['x']), 'x', 'ACCESS_DENIED', '')).not.toThrow();
});
