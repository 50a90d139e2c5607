import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Whether the bearer token of an `Authorization` header is a secret; spaces and commas are part of the token.
 * Compares in constant time for all lengths.
 */
export function hasBearerSecret(authorization: string | undefined, secret: string): boolean {
  const sent = /^bearer +(.+)$/i.exec(authorization ?? '')?.[1];
  if (sent === undefined) return false;
  const key = randomBytes(32);
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  return timingSafeEqual(digest(sent), digest(secret));
}
