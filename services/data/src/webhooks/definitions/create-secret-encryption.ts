import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts the secrets of webhooks for the database. */
export interface SecretEncryption {
  encrypt(secret: string): string;
  /** @returns undefined for a text that was not encrypted with the same key */
  decrypt(encrypted: string): string | undefined;
}

/** Layout: nonce (12 bytes) · tag (16) · ciphertext. AES-256-GCM. */
const ALGORITHM = 'aes-256-gcm';
const PURPOSE = 'lintel webhook secret 1';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const HEAD_BYTES = NONCE_BYTES + 16;

/** @param key `svc.webhooks.encryption-key` */
export function createSecretEncryption(key: string): SecretEncryption {
  const derived = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', PURPOSE, KEY_BYTES)));
  return {
    encrypt(secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, derived, nonce);
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    decrypt(encrypted) {
      const bytes = Buffer.from(encrypted, 'base64');
      if (bytes.length <= HEAD_BYTES) return undefined;
      const decipher = createDecipheriv(ALGORITHM, derived, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, HEAD_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8');
      } catch {
        // It was encrypted with another key.
        return undefined;
      }
    },
  };
}
