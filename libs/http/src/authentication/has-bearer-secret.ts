import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Compares in constant time for all lengths. */
export function isSameSecret(given: string, expected: string): boolean {
  const key = randomBytes(32);
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Whether the bearer token of an `Authorization` header is a secret; spaces and commas are part of the token. */
export function hasBearerSecret(authorization: string | undefined, secret: string): boolean {
  const sent = /^bearer +(.+)$/i.exec(authorization ?? '')?.[1];
  return sent !== undefined && isSameSecret(sent, secret);
}
