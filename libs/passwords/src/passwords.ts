import { createHash } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { normalizePassword } from './normalize-password.ts';

/** Argon2id with the first choice of the OWASP cheat sheet: 19 MiB, two passes, one lane. */
const POLICY = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;

/** Passwords longer than this are refused before any work is done, so that a login cannot be made expensive. */
const MAX_PASSWORD_BYTES = 4096;

/** What a login learns about a password. */
export interface PasswordVerdict {
  readonly ok: boolean;
  /** The stored hash is right, but weaker than today's policy: store `hashPassword(text)` instead. */
  readonly needsRehash: boolean;
}

/**
 * The argon2id hash of a password in PHC form (`$argon2id$v=19$m=…`), with a fresh random salt. The password is
 * normalized first (NFKC), so that all spellings of it are one.
 *
 * @throws RangeError when the password is longer than 4096 bytes
 */
export function hashPassword(text: string): Promise<string> {
  if (isTooLong(text)) return Promise.reject(new RangeError(`A password has at most ${MAX_PASSWORD_BYTES} bytes`));
  return hash(normalizePassword(text), POLICY);
}

/**
 * Compares a password with a stored hash in constant time. Never rejects because of what is stored: an
 * empty, foreign or broken hash costs the same work and gives `ok: false`.
 */
export async function verifyPassword(stored: string, text: string): Promise<PasswordVerdict> {
  const options = optionsOf(stored);
  if (options === undefined || isTooLong(text)) {
    await verifyDummyHash(text);
    return { ok: false, needsRehash: false };
  }
  const normalized = normalizePassword(text);
  if (await verify(stored, normalized)) return { ok: true, needsRehash: isWeaker(options) };
  if (normalized === text) return { ok: false, needsRehash: false };
  // Hashes of earlier versions are of the text as it was sent.
  const ok = await verify(stored, text);
  return { ok, needsRehash: ok };
}

/**
 * Does the work of one verification without a result: for logins whose user does not exist, so that the response time
 * does not reveal which names exist.
 */
export async function verifyDummyHash(text: string): Promise<void> {
  const stored = await decoy();
  await verify(stored, isTooLong(text) ? '' : text);
  if (!isTooLong(text) && normalizePassword(text) !== text) await verify(stored, text);
}

let decoyHash: Promise<string> | undefined;

/** The hash that stands for the one of an unknown user; made like any other. */
export const decoy = (): Promise<string> => {
  decoyHash ??= hash('', POLICY);
  return decoyHash;
};

const isTooLong = (text: string): boolean => Buffer.byteLength(text, 'utf8') > MAX_PASSWORD_BYTES;

type Options = ReturnType<typeof parseOptions>;

function optionsOf(stored: string): Options | undefined {
  try {
    return parseOptions(stored);
  } catch {
    return undefined;
  }
}

const isWeaker = (options: Options): boolean =>
  options.algorithm !== POLICY.algorithm ||
  options.memoryCost < POLICY.memoryCost ||
  options.timeCost < POLICY.timeCost ||
  options.outputLen < POLICY.outputLen;

/** A digest of a stored hash, from which the password cannot be guessed. */
export const fingerprintOf = (passwordHash: string): string =>
  createHash('sha256').update(passwordHash).digest('base64url');
