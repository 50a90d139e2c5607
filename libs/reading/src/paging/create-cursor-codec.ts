import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';
import { PlatformError } from '@lintel/errors';
import type { RowPosition } from '@lintel/query';
import type { IdSource } from '../ports.ts';

/** Encrypts the end position of a page into the text of a cursor, and decrypts it again. */
export interface CursorCodec {
  /**
   * @param scope the query and caller that the cursor is valid for: see `cursorScope`
   */
  encode(position: RowPosition, scope: string): string;
  /** @throws PlatformError REQ_INVALID_CURSOR for a text that was not encoded here for the same scope */
  decode(cursor: string, scope: string): RowPosition;
}

/*
 * Layout: version (1 byte) · salt (16) · nonce (12) · tag (16) · ciphertext. AES-256-GCM; the scope is authenticated
 * with it. Each process has its own salt and so its own key. Nonces are random: a counter would reveal how many cursors
 * other callers received. A key encrypts at most 2^32 times, so that no nonce is used twice (NIST SP 800-38D §8.3);
 * then the process creates a new salt.
 */
const VERSION = 2;
const MAX_ENCRYPTIONS = 2 ** 32;
const SALT_BYTES = 16;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const NONCE_AT = 1 + SALT_BYTES;
const TAG_AT = NONCE_AT + NONCE_BYTES;
const HEAD_BYTES = TAG_AT + TAG_BYTES;
const ALGORITHM = 'aes-256-gcm';
const PURPOSE = 'lintel cursor 2';
/** Keys of other processes that are remembered. */
const MAX_KEYS = 100;

/**
 * @param options.secret of all processes that decode each other's cursors
 * @param options.ids gives this process its salts
 * @param options.maxSealed how often a key encrypts
 */
export function createCursorCodec(options: {
  readonly secret: string;
  readonly ids: IdSource;
  readonly maxEncryptions?: number;
}): CursorCodec {
  const { secret, ids, maxEncryptions = MAX_ENCRYPTIONS } = options;
  // Returns a key object: from raw bytes every use would create one first, which takes three times as long as the
  // encryption.
  const deriveKey = (salt: Buffer): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, salt, PURPOSE, KEY_BYTES)));
  const newKey = () => {
    const salt = Buffer.from(ids.next().replaceAll('-', ''), 'hex');
    if (salt.length !== SALT_BYTES) throw new Error('An id is a UUID');
    return { salt, key: deriveKey(salt) };
  };
  let own = newKey();
  let encryptions = 0;
  const keys = new Map<string, KeyObject>();

  const keyOf = (salt: Buffer): KeyObject => {
    if (salt.equals(own.salt)) return own.key;
    const name = salt.toString('latin1');
    const key = keys.get(name) ?? deriveKey(salt);
    if (keys.size >= MAX_KEYS) keys.clear();
    keys.set(name, key);
    return key;
  };

  return {
    encode(position, scope) {
      if (encryptions === maxEncryptions) {
        own = newKey();
        encryptions = 0;
      }
      encryptions += 1;
      const head = Buffer.alloc(HEAD_BYTES);
      head[0] = VERSION;
      own.salt.copy(head, 1);
      const nonce = randomFillSync(head.subarray(NONCE_AT, TAG_AT));
      const cipher = createCipheriv(ALGORITHM, own.key, nonce);
      cipher.setAAD(Buffer.from(scope));
      const text = JSON.stringify([position.order, ...position.values]);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      cipher.getAuthTag().copy(head, TAG_AT);
      return Buffer.concat([head, body]).toString('base64url');
    },
    decode(cursor, scope) {
      const bytes = Buffer.from(cursor, 'base64url');
      if (bytes.length <= HEAD_BYTES || bytes[0] !== VERSION) throw refuse();
      const decipher = createDecipheriv(
        ALGORITHM,
        keyOf(bytes.subarray(1, NONCE_AT)),
        bytes.subarray(NONCE_AT, TAG_AT),
      );
      decipher.setAAD(Buffer.from(scope));
      decipher.setAuthTag(bytes.subarray(TAG_AT, HEAD_BYTES));
      try {
        const body = Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]);
        const [order, ...values] = JSON.parse(body.toString('utf8')) as [string, ...(string | null)[]];
        return { order, values };
      } catch (cause) {
        throw refuse(cause);
      }
    },
  };
}

const refuse = (cause?: unknown): PlatformError =>
  new PlatformError('REQ_INVALID_CURSOR', 'The cursor is none of this caller, entity, filter and sort', { cause });
