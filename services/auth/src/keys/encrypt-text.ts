import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

/**
 * Authenticated encryption of a text with a secret: AES-256-GCM, the key derived by scrypt. The context (the id of a
 * key) is authenticated, so that one encrypted text cannot replace another.
 *
 * Layout: version (1 byte) · salt (16) · nonce (12) · tag (16) · ciphertext.
 */

const VERSION = 1;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const HEAD_BYTES = 1 + SALT_BYTES + NONCE_BYTES + TAG_BYTES;

const deriveKey = promisify<string, Buffer, number, Buffer>(scrypt);

/** Encrypts a text. */
export async function encryptText(text: string, secret: string, context: string): Promise<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(secret, salt, KEY_BYTES), nonce);
  cipher.setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), salt, nonce, cipher.getAuthTag(), encrypted]);
}

/** Decrypts a text; undefined if the secret or the context differs, or a byte was changed. */
export async function decryptText(encrypted: Buffer, secret: string, context: string): Promise<string | undefined> {
  if (encrypted.length < HEAD_BYTES || encrypted[0] !== VERSION) return undefined;
  const salt = encrypted.subarray(1, 1 + SALT_BYTES);
  const nonce = encrypted.subarray(1 + SALT_BYTES, 1 + SALT_BYTES + NONCE_BYTES);
  const tag = encrypted.subarray(HEAD_BYTES - TAG_BYTES, HEAD_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', await deriveKey(secret, salt, KEY_BYTES), nonce);
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    // A wrong tag is an expected result, not an error.
    return undefined;
  }
}
