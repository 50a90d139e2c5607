import { normalizePassword } from '../normalize-password.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

/** Why a new password is refused. */
export type PasswordWeakness = 'too-short' | 'common' | 'predictable' | 'personal';

/** The rules for new passwords; stored ones stay valid. */
export interface PasswordPolicy {
  /** In characters (code points). */
  readonly minLength: number;
  /**
   * The first rule that a new password breaks; undefined if it is accepted.
   *
   * @param personal name, e-mail address and other words of the user
   */
  weaknessOf(password: string, personal: readonly string[]): PasswordWeakness | undefined;
}

export interface PasswordPolicyOptions {
  readonly minLength?: number;
  /** Whether passwords that are used most, or are one repetition or sequence, are refused. */
  readonly refusesCommon?: boolean;
  /** Words such as the name of the application. */
  readonly words?: readonly string[];
}

/** NIST SP 800-63B: at least 8 characters for memorized secrets. */
export const DEFAULT_MIN_LENGTH = 8;
const MIN_DISTINCT = 4;
/** Shorter words are part of many good passwords. */
const MIN_WORD_LENGTH = 3;
/** As many characters besides a word of the user do not make a password: `anna2024`. */
const MAX_BESIDES_WORD = 4;

/** The policy of NIST SP 800-63B §5.1.1.2: length, a list of passwords and words of the context; no composition. */
export function createPasswordPolicy(options: PasswordPolicyOptions = {}): PasswordPolicy {
  const { minLength = DEFAULT_MIN_LENGTH, refusesCommon = true, words = [] } = options;
  return {
    minLength,
    weaknessOf(password, personal) {
      const text = normalizePassword(password);
      if ([...text].length < minLength) return 'too-short';
      const lower = text.toLowerCase();
      if (refusesCommon && commonPasswords().has(lower)) return 'common';
      if (refusesCommon && isPredictable(lower)) return 'predictable';
      return [...words, ...personal.flatMap(partsOf)].some((word) => isAlmost(lower, word)) ? 'personal' : undefined;
    },
  };
}

let known: ReadonlySet<string> | undefined;

/** Split at the first use: a process that changes no password does not need the list. */
function commonPasswords(): ReadonlySet<string> {
  known ??= new Set(COMMON_PASSWORDS.trim().split(/\s/));
  return known;
}

function isPredictable(text: string): boolean {
  const points = [...text].map((character) => character.codePointAt(0) ?? 0);
  if (new Set(points).size < MIN_DISTINCT) return true;
  const [step, ...others] = points.slice(1).map((point, at) => point - (points[at] ?? 0));
  return step !== undefined && Math.abs(step) === 1 && others.every((other) => other === step);
}

/** Of an e-mail address also the part before the `@`. */
const partsOf = (word: string): readonly string[] => [
  word,
  ...(word.includes('@') ? [word.split('@', 1)[0] ?? ''] : []),
];

function isAlmost(text: string, word: string): boolean {
  const lower = normalizePassword(word).toLowerCase().trim();
  if ([...lower].length < MIN_WORD_LENGTH || !text.includes(lower)) return false;
  return [...text.replaceAll(lower, '')].length <= MAX_BESIDES_WORD;
}
