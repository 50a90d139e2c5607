import { createHmac, randomBytes } from 'node:crypto';

const AMOUNT = 10;
/** Without letters and digits that look alike; 32 of them, so that each has five bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789';
const LENGTH = 12;

/** Codes of 60 bits, in groups of four characters. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: AMOUNT }, () => {
    const letters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
    return (letters.match(/.{4}/g) ?? []).join('-');
  });

/** The code that a user has typed, without spaces and hyphens; undefined if it cannot be one. */
export function recoveryCodeOf(text: string): string | undefined {
  const code = text.toLowerCase().replace(/[\s-]/g, '');
  return code.length === LENGTH && [...code].every((letter) => ALPHABET.includes(letter)) ? code : undefined;
}

/** The stored form: from the digests alone no code can be guessed, and equal codes of two users differ. */
export function recoveryCodeDigests(secret: string): (userId: string, code: string) => string {
  const key = createHmac('sha256', secret).update('recovery codes').digest();
  return (userId, code) =>
    createHmac('sha256', key)
      .update(`${userId}\n${code.replaceAll('-', '')}`)
      .digest('base64url');
}
