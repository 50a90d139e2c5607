import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { type EncryptToken, isExactObject, readExactJson, type TokenContent } from '@lintel/query';

/** Creates the `__securityToken` of an object, and reads it again. */
export interface TokenCodec {
  readonly encrypt: EncryptToken;
  /** @returns undefined for a text that was not encrypted with the same key */
  decrypt(token: string): TokenContent | undefined;
}

/*
 * Layout: nonce (12 bytes) · tag (16) · ciphertext. AES-256-GCM. The nonce is a keyed hash of the content:
 * equal contents have equal tokens, so that the `ETag` of a response stays the same, and different contents
 * do not share a nonce.
 */
const ALGORITHM = 'aes-256-gcm';
const PURPOSE = 'lintel security token 1';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = NONCE_BYTES + TAG_BYTES;

/** @param secret of all data services: `svc.core.entity-serialization-token-encryption-key` */
export function createTokenCodec(secret: string): TokenCodec {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, 2 * KEY_BYTES));
  const key = createSecretKey(bytes.subarray(0, KEY_BYTES));
  const nonceKey = createSecretKey(bytes.subarray(KEY_BYTES));

  return {
    encrypt({ entity, id, hidden }) {
      const text = JSON.stringify([entity, id ?? null, hidden]);
      const nonce = createHmac('sha256', nonceKey).update(text).digest().subarray(0, NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    decrypt(token) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length <= HEAD_BYTES) return undefined;
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, HEAD_BYTES));
      try {
        const text = Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8');
        return contentOf(text);
      } catch {
        // Created with another key, or modified; the error gives no details.
        return undefined;
      }
    },
  };
}

function contentOf(text: string): TokenContent | undefined {
  const json = readExactJson(text);
  if (!Array.isArray(json)) return undefined;
  const [entity, id, hidden] = json;
  if (typeof entity !== 'string' || id === undefined || !isExactObject(hidden)) return undefined;
  return { entity, ...(id === null ? {} : { id }), hidden: hidden as TokenContent['hidden'] };
}
