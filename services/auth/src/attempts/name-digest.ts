import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';

const PURPOSE = 'lintel names of attempts 1';
const KEY_BYTES = 32;
const SHORT_LENGTH = 12;

/**
 * Names what was typed as a name without showing it: it may be a password in the wrong field. Who does not have the
 * secret cannot test guesses of it.
 */
export interface NameDigest {
  /** Of keys in the store. */
  of(text: string): string;
  /** Of log lines and events. */
  shortOf(text: string): string;
}

/** @param secret of all replicas: `svc.authserver.key-encryption-secret` */
export function createNameDigest(secret: string): NameDigest {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES)));
  const of = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  return { of, shortOf: (text) => of(text).slice(0, SHORT_LENGTH) };
}
