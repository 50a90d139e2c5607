import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { verifyPassword } from '@lintel/passwords';

/** Whether a text is the client's secret. */
export type SecretCheck = (text: string) => Promise<boolean>;

/**
 * A check in constant time against a configured secret: an argon2id hash (`$argon2id$…`), or the secret
 * itself, with or without the prefix `{noop}`. The plain secret is not kept, only a keyed digest of it.
 */
export function createSecretCheck(configured: string): SecretCheck {
  if (configured.startsWith('$argon2id$')) return async (text) => (await verifyPassword(configured, text)).ok;
  const key = randomBytes(32);
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  const expected = digest(configured.replace(/^\{noop\}/, ''));
  return async (text) => timingSafeEqual(digest(text), expected);
}
