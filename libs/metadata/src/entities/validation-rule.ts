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
