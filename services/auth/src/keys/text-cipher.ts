import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { TextCipher } from '@lintel/login';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param purpose separates the keys of different uses */
export function createTextCipher(secret: string, purpose: string): TextCipher {
  const key = createHmac('sha256', secret).update(purpose).digest();
  return {
    encrypt(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
    },
    decrypt(encrypted, context) {
      if (encrypted.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, NONCE_BYTES));
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const text = [decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
        return Buffer.concat(text).toString('utf8');
      } catch {
        // A wrong tag is an expected result, not an error.
        return undefined;
      }
    },
  };
}
