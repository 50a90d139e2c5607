import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Creates a comparison with a secret, in constant time for all lengths. It keeps a keyed digest of the secret only. */
export function createSecretComparison(secret: string): (given: string) => boolean {
  const key = randomBytes(32);
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  const expected = digest(secret);
  return (given) => timingSafeEqual(digest(given), expected);
}

/** Compares in constant time for all lengths. */
export const isSameSecret = (given: string, expected: string): boolean => createSecretComparison(expected)(given);

/** Compares digests, whose length is public, in constant time; faster than secrets of any length. */
export const isSameDigest = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected);
