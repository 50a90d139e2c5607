/**
 * A rule on an attribute's value (contract/writing.md#validation). `message` replaces the default text; it may be a key
 * of the application's messages in the form `{msg://key}`.
 */
export type ValidationRule =
  | { readonly kind: 'size'; readonly min: number; readonly max: number; readonly message?: string }
  | { readonly kind: 'not-blank'; readonly message?: string }
  | { readonly kind: 'pattern'; readonly pattern: string; readonly message?: string }
  | { readonly kind: 'email'; readonly message?: string }
  /** Bounds are decimal texts, so that they are exact. */
  | { readonly kind: 'min'; readonly value: string; readonly inclusive: boolean; readonly message?: string }
  | { readonly kind: 'max'; readonly value: string; readonly inclusive: boolean; readonly message?: string }
  | { readonly kind: 'past'; readonly orPresent: boolean; readonly message?: string }
  | { readonly kind: 'future'; readonly orPresent: boolean; readonly message?: string }
  | {
      readonly kind: 'custom';
      readonly message: string;
      /** Whether the value keeps the rule. Pure. */
      readonly test: (value: unknown) => boolean;
    };

/** A rule on the whole instance; its violations have the path of the instance (`""` for the root). */
export interface EntityRule {
  readonly message: string;
  /** Attributes the rule reads; they are loaded before it is tested. */
  readonly dependsOn: readonly string[];
  /** Whether the instance keeps the rule. Pure; values in the JSON form of the attribute. */
  readonly test: (instance: Readonly<Record<string, unknown>>) => boolean;
}
