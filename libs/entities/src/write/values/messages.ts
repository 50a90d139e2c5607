import type { MessageParameters } from '@lintel/metadata';

/** The text of a violation before it is put into a language: contract/writing.md#validation. */
export interface RuleText {
  readonly messageTemplate: string;
  readonly parameters: MessageParameters;
  /** Replaces a text that refers to a message which does not exist. */
  readonly otherwise?: RuleText;
}

/** The readable text of a violated rule of an entity, in the caller's language. */
export type Localize = (text: RuleText, entityName: string) => string;

const text = (constraint: string, parameters: MessageParameters = {}): RuleText => ({
  messageTemplate: `{jakarta.validation.constraints.${constraint}.message}`,
  parameters,
});

export const NOT_NULL = text('NotNull');
export const NOT_BLANK = text('NotBlank');
export const EMAIL = text('Email');

export const sizeText = (min: number, max: number): RuleText => text('Size', { min, max });
export const patternText = (pattern: string): RuleText => text('Pattern', { regexp: pattern });
export const digitsText = (integer: number, fraction: number): RuleText => text('Digits', { integer, fraction });

/** A bound of zero that is not included is the rule "positive" (or "negative") of the reference. */
export function boundText(kind: 'min' | 'max', value: string, inclusive: boolean): RuleText {
  const parameters = { value, inclusive: String(inclusive) };
  if (!inclusive && Number(value) === 0) return text(kind === 'min' ? 'Positive' : 'Negative', parameters);
  return text(kind === 'min' ? 'DecimalMin' : 'DecimalMax', parameters);
}

export const timeText = (kind: 'past' | 'future', orPresent: boolean): RuleText =>
  text(`${kind === 'past' ? 'Past' : 'Future'}${orPresent ? 'OrPresent' : ''}`);

/** The default text of a rule in code. */
export const INVALID: RuleText = {
  messageTemplate: '{lintel.validation.InvalidValue.message}',
  parameters: {},
};

/** A text of the application replaces the default one; its parameters are the same. */
export const ownText = (message: string | undefined, fallback: RuleText): RuleText =>
  message === undefined ? fallback : { ...fallback, messageTemplate: message, otherwise: fallback };

/** Of an attribute that is null because another child of the collection names it (contract/decisions.md#72). */
export const notSentForAll = (collection: string): RuleText => ({
  messageTemplate: '{lintel.validation.NotSentForAll.message}',
  parameters: { collection },
});

/** Of an attribute that is stored in the same column as another one, and has another value. */
export const sharedColumnText = (other: string): RuleText => ({
  messageTemplate: '{lintel.validation.SharedColumn.message}',
  parameters: { other },
});

/** Of a JSON value that its schema does not allow. */
export const schemaText = (problem: string): RuleText => ({
  messageTemplate: '{lintel.validation.JsonSchema.message}',
  parameters: { problem },
});

/** Of a new password that can be guessed. */
export const weakPasswordText = (weakness: 'common' | 'predictable' | 'personal'): RuleText => ({
  messageTemplate: `{lintel.validation.${WEAK_PASSWORDS[weakness]}.message}`,
  parameters: {},
});
const WEAK_PASSWORDS = {
  common: 'PasswordCommon',
  predictable: 'PasswordPredictable',
  personal: 'PasswordPersonal',
} as const;

/** The text of a rule that has no parameters. */
export const plainText = (message: string): RuleText => ({ messageTemplate: message, parameters: {} });
