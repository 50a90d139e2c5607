import type { Schema } from '@lintel/contracts';
import { type DatatypeAttribute, EMAIL_PATTERN, type ValidationRule } from '@lintel/metadata';

/** Larger powers of ten are no exact numbers in JSON Schema. */
const MAX_WHOLE_DIGITS = 15;

/**
 * The bounds of a decimal by the digits of its column, where no rule has another one. Digits after the point are
 * described only: validators cannot divide exactly.
 */
export function digitLimits(
  {
    datatype,
    precision,
    scale = 0,
  }: Pick<DatatypeAttribute, 'datatype'> & { readonly [K in 'precision' | 'scale']?: number | undefined },
  rules: readonly ValidationRule[] = [],
): Schema {
  if (datatype !== 'decimal' || precision === undefined) return {};
  const whole = precision - scale;
  const description = `Exact: all digits are sent. At most ${digits(whole)} before the point, ${digits(scale)} after it`;
  if (whole > MAX_WHOLE_DIGITS) return { description };
  const has = (kind: ValidationRule['kind']) => rules.some((rule) => rule.kind === kind);
  return {
    description,
    ...(has('min') ? {} : { exclusiveMinimum: -(10 ** whole) }),
    ...(has('max') ? {} : { exclusiveMaximum: 10 ** whole }),
  };
}

const digits = (count: number): string => (count === 1 ? '1 digit' : `${count} digits`);

/** The rules of a value that JSON Schema can express; others are reported when they are violated. */
export const ruleLimits = (rules: readonly ValidationRule[], { isList = false } = {}): Schema =>
  Object.assign({}, ...rules.toSorted(byKind).map((rule) => limitOf(rule, isList)));

/** The pattern of an attribute replaces the pattern for texts that are not blank; the pattern for addresses replaces both. */
const byKind = (one: ValidationRule, other: ValidationRule): number => rankOf(one) - rankOf(other);

const rankOf = ({ kind }: ValidationRule): number => ['not-blank', 'pattern', 'email'].indexOf(kind);

function limitOf(rule: ValidationRule, isList: boolean): Schema {
  switch (rule.kind) {
    case 'size':
      return isList ? { minItems: rule.min, maxItems: rule.max } : { minLength: rule.min, maxLength: rule.max };
    case 'min':
      return { [rule.inclusive ? 'minimum' : 'exclusiveMinimum']: Number(rule.value) };
    case 'max':
      return { [rule.inclusive ? 'maximum' : 'exclusiveMaximum']: Number(rule.value) };
    case 'email':
      // Not the format: it excludes the empty text and characters that are not ASCII.
      return { pattern: EMAIL_PATTERN, examples: ['ann@example.com'] };
    case 'pattern':
      return isPortable(rule.pattern) ? { pattern: `^(?:${rule.pattern})$`, ...examplesOf(rule.pattern) } : {};
    case 'not-blank':
      return { minLength: 1, pattern: String.raw`\S` };
    case 'past':
    case 'future':
    case 'custom':
      return {};
    default:
      return rule satisfies never;
  }
}

/** Alternatives that are words are examples; as an `enum` they would be another type in generated clients. */
const examplesOf = (pattern: string): Schema =>
  /^[\w-]+(?:\|[\w-]+)*$/.test(pattern) ? { examples: pattern.split('|') } : {};

/** Patterns of JSON Schema are read as Unicode; not all that match otherwise can be. */
function isPortable(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
