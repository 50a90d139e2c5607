import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';

const PURPOSE = 'lintel names of attempts 1';
const KEY_BYTES = 32;
const SHORT_LENGTH = 12;

/**
 * Keyed digests of typed names, which may be passwords typed into the wrong field. Without the secret guesses cannot be
 * tested against a digest.
 */
export interface NameDigest {
  /** For keys in the store. */
  of(text: string): string;
  /** For log lines and events. */
  shortOf(text: string): string;
}

/** @param secret the same in all replicas: `svc.authserver.key-encryption-secret` */
export function createNameDigest(secret: string): NameDigest {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES)));
  const of = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  return { of, shortOf: (text) => of(text).slice(0, SHORT_LENGTH) };
}
