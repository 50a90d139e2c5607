/*
 * User names by PRECIS: UsernameCasePreserved accepts them, UsernameCaseMapped compares them (RFC 8265 §3). Joiners are
 * refused everywhere: they are invisible. `expected.json` of the tests has the results of Go's implementation.
 */

/** Why a new user cannot have a name. */
export type UserNameProblem = 'characters' | 'reserved';

/** Names of what acts in the platform; those that end with a colon are prefixes. */
const RESERVED = [
  'system',
  'anonymous',
  'scim',
  'scim:',
  'sign-up',
  'resource-server',
  'provider:',
  'see-as:',
  'api-key:',
  'client:',
  'user:',
  'anonymous:',
] as const;

/** Characters of the Unicode block of full and half widths, without the letters of Hangul. */
const WIDE = /[\u3000\uff01-\uff9f\uffe0-\uffee]/gu;

/** Letters, digits and marks (RFC 8264 §9.1), and printable ASCII; what a rule of the context allows is checked, too. */
const CHARACTERS =
  /^(?:[!-~]|[\p{Ll}\p{Lu}\p{Lo}\p{Lm}\p{Nd}\p{Mn}\p{Mc}]|[\u00b7\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u3007\u30fb])+$/u;

/** Ignorable characters, letters from which Hangul is composed, and exceptions (RFC 5892 §2.6, RFC 8264 §9.9). */
const EXCLUDED =
  /[\p{Default_Ignorable_Code_Point}\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/u;

/** Characters in places where their rules do not allow them (RFC 5892 A.3 to A.9). */
const MISPLACED = [
  /(?<!l)\u00b7|\u00b7(?!l)/u,
  /\u0375(?!\p{Script=Greek})/u,
  /(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u,
  /^(?=.*\u30fb)[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*$/u,
  /[\u0660-\u0669].*[\u06f0-\u06f9]|[\u06f0-\u06f9].*[\u0660-\u0669]/u,
];

/*
 * Bidirectional classes of what is accepted (UAX 9): regular expressions know none of them. The numbers of Arabic (AN),
 * those that European ones are like (EN), marks (NSM), characters without a direction (ON), and all others (R, AL, L).
 */
const AN = '[\\u0660-\\u0669\\u{10d30}-\\u{10d39}]';
const EN = '[0-9\\u06f0-\\u06f9]';
const NSM = '[[\\p{Mn}\\u{1171e}]--[\\u0cbf\\u0cc6\\u{11a07}\\u{11a08}\\u{11c3f}]]';
const ON = '[\\u02b9\\u02ba\\u02c6-\\u02cf\\u02ec\\u2e2f\\ua67f\\ua717-\\ua71f\\ua788]';
const BLOCKS = '[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufeff\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]';
const R = `[${BLOCKS}--${NSM}--${AN}--${EN}]`;
const L = `[[\\p{L}\\p{M}\\p{Nd}\\u0f0b\\u3007]--${R}--${AN}--${EN}--${NSM}--${ON}]`;
const HAS_RTL = new RegExp(`${R}|${AN}`, 'v');
/** The rule of RFC 5893 §2 for a text that has characters from right to left. */
const IS_RTL = new RegExp(`^(?!.*${L})(?!.*${AN}.*${EN})(?!.*${EN}.*${AN})${R}(?:.*[${R}${AN}${EN}])?${NSM}*$`, 'v');

const prepared = (name: string): string => name.replace(WIDE, (wide) => wide.normalize('NFKC'));

/** The text by which names are compared: two users never have the same, whatever the case of their names. */
export const userNameKey = (name: string): string =>
  // Character by character: a sigma at the end of a word is one like others.
  Array.from(prepared(name), (character) => character.toLowerCase())
    .join('')
    .normalize('NFC');

/** Why no user can be created with a name, or get it; undefined for a name that is possible. */
export function userNameProblem(name: string): UserNameProblem | undefined {
  const text = prepared(name).normalize('NFC');
  if (!CHARACTERS.test(text) || EXCLUDED.test(text) || hasCompatible(text)) return 'characters';
  if (MISPLACED.some((rule) => rule.test(text)) || (HAS_RTL.test(text) && !IS_RTL.test(text))) return 'characters';
  const key = userNameKey(name);
  return RESERVED.some((reserved) => (reserved.endsWith(':') ? key.startsWith(reserved) : key === reserved))
    ? 'reserved'
    : undefined;
}

/** Ligatures and other forms of characters (RFC 8264 §9.17). */
const hasCompatible = (text: string): boolean =>
  Array.from(text).some((character) => character.normalize('NFKC') !== character);
