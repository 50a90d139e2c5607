/**
 * A rule on an attribute's value (contract/writing.md#validation). `message` replaces the default text; it may be a key
 * of the application's messages in the form `{msg://key}`.
 */
export type ValidationRule =
  /** The number of characters of a text, or of items of a collection. */
  | { readonly kind: 'size'; readonly min: number; readonly max: number; readonly message?: string }
  /** At least one character that is no blank. */
  | { readonly kind: 'not-blank'; readonly message?: string }
  /** The whole text matches the regular expression. */
  | { readonly kind: 'pattern'; readonly pattern: string; readonly message?: string }
  /** A well-formed e-mail address. */
  | { readonly kind: 'email'; readonly message?: string }
  /** A bound is a decimal text, so that it is exact. */
  | { readonly kind: 'min'; readonly value: string; readonly inclusive: boolean; readonly message?: string }
  | { readonly kind: 'max'; readonly value: string; readonly inclusive: boolean; readonly message?: string }
  /** Before now, or before today for dates. */
  | { readonly kind: 'past'; readonly orPresent: boolean; readonly message?: string }
  /** After now, or after today for dates. */
  | { readonly kind: 'future'; readonly orPresent: boolean; readonly message?: string }
  /** A rule in code of the application. */
  | {
      readonly kind: 'custom';
      readonly message: string;
      /** Whether the value keeps the rule. Pure. */
      readonly test: (value: unknown) => boolean;
    };

/** A rule on the whole instance; its violations have the path of the instance (`""` for the root). */
export interface EntityRule {
  /** Text of the violation, or `{msg://key}` of the application's messages. */
  readonly message: string;
  /** Attributes the rule reads; they are loaded before it is tested. */
  readonly dependsOn: readonly string[];
  /** Whether the instance keeps the rule. Pure; values in the JSON form of the attribute. */
  readonly test: (instance: Readonly<Record<string, unknown>>) => boolean;
}

const ATOM = String.raw`[^\x00-\x20\x22\x28\x29\x2c\x2e\x3a-\x3c\x3e\x40\x5b-\x5d\x7f]+`;
const LETTER = String.raw`[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]`;
const LETTER_OR_HYPHEN = String.raw`[^\x00-\x2c\x2e\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]`;
const LABEL = `${LETTER}(?:${LETTER_OR_HYPHEN}{0,61}${LETTER})?`;

/**
 * Pattern of the rule `email`: addresses, with all characters that are not ASCII, and the empty text, which is left to
 * `not-blank`. Regular expressions of all languages read it alike, and their texts can quote it.
 */
export const EMAIL_PATTERN = String.raw`^(?:${ATOM}(?:\.${ATOM})*@${LABEL}(?:\.${LABEL})*)?$`;
