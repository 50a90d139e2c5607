import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Scanners for secrets find keys by this text (docs/guide/tokens.md). */
const PREFIX = 'lk_';
const SECRET_BYTES = 32;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(DIGITS.length);

/** A new key: `lk_`, 256 random bits in base 62, and their CRC-32. */
export function createKeyText(): string {
  const secret = inBase62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), SECRET_LENGTH);
  return `${PREFIX}${secret}${checksumOf(secret)}`;
}

/** Whether a token claims to be a key. */
export const isKeyText = (token: string): boolean => token.startsWith(PREFIX);

/** Whether a text can be a key; a typing error is found without a statement. */
export function isWellFormed(token: string): boolean {
  if (!/^lk_[0-9A-Za-z]{49}$/.test(token)) return false;
  const secret = token.slice(PREFIX.length, PREFIX.length + SECRET_LENGTH);
  return token.endsWith(checksumOf(secret));
}

/** The form in which a key is stored: it has too many bits to be guessed from the digest. */
export const hashOfKey = (token: string): string => createHash('sha256').update(token).digest('base64url');

const checksumOf = (secret: string): string => inBase62(BigInt(crc32(`${PREFIX}${secret}`)), CHECKSUM_LENGTH);

function inBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= BASE) text = `${DIGITS[Number(rest % BASE)]}${text}`;
  return text.padStart(length, '0');
}
