/** Default texts and templates of contract-entities-queries-services.md §3.12. */
export interface RuleText {
  readonly message: string;
  readonly messageTemplate: string;
}

const text = (constraint: string, message: string): RuleText => ({
  message,
  messageTemplate: `{jakarta.validation.constraints.${constraint}.message}`,
});

export const NOT_NULL = text('NotNull', 'may not be null');
export const NOT_BLANK = text('NotBlank', 'must not be blank');
export const EMAIL = text('Email', 'not a well-formed email address');
export const POSITIVE = text('Positive', 'must be greater than 0');
export const NEGATIVE = text('Negative', 'must be less than 0');

export const sizeText = (min: number, max: number): RuleText => text('Size', `size must be between ${min} and ${max}`);
export const patternText = (pattern: string): RuleText => text('Pattern', `must match "${pattern}"`);
export const digitsText = (integer: number, fraction: number): RuleText =>
  text('Digits', `numeric value out of bounds (<${integer} digits>.<${fraction} digits> expected)`);

/** A bound of zero that is not included is the rule "positive" (or "negative") of the reference. */
export function boundText(kind: 'min' | 'max', value: string, inclusive: boolean): RuleText {
  if (!inclusive && Number(value) === 0) return kind === 'min' ? POSITIVE : NEGATIVE;
  const than = `must be ${kind === 'min' ? 'greater' : 'less'} than`;
  return text(kind === 'min' ? 'DecimalMin' : 'DecimalMax', `${than}${inclusive ? ' or equal to' : ''} ${value}`);
}

export const timeText = (kind: 'past' | 'future', orPresent: boolean): RuleText =>
  text(
    `${kind === 'past' ? 'Past' : 'Future'}${orPresent ? 'OrPresent' : ''}`,
    `must be in the ${kind}${orPresent ? ' or in the present' : ''}`,
  );

/** A text of the application replaces the default one and is its own template. */
export const ownText = (message: string | undefined, fallback: RuleText): RuleText =>
  message === undefined ? fallback : { message, messageTemplate: message };
