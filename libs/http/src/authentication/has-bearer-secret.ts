import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Whether an `Authorization` header brings a secret as its bearer token: all of it, spaces and commas
 * included. Compares in constant time, whatever the lengths.
 */
export function hasBearerSecret(authorization: string | undefined, secret: string): boolean {
  const sent = /^bearer +(.+)$/i.exec(authorization ?? '')?.[1];
  if (sent === undefined) return false;
  const key = randomBytes(32);
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  return timingSafeEqual(digest(sent), digest(secret));
}
