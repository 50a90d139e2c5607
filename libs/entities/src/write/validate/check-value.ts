import { type DatatypeAttribute, type ElementsAttribute, familyOf, isArray } from '@lintel/metadata';
import { countDigits } from '@lintel/query';
import type { ColumnSlot } from '../model/layout.ts';
import { digitsText, NOT_NULL, type RuleText, sizeText } from '../values/messages.ts';
import { isReference, type Value } from '../values/value.ts';
import { checkRule, type Now, sizeOf } from './check-rule.ts';

/** All violations of the value of one attribute path. */
export function checkSlot(
  slot: ColumnSlot,
  value: Value,
  jsonValue: unknown,
  isMandatory: boolean,
  now: Now,
): readonly RuleText[] {
  const { attribute } = slot;
  if (value === null) {
    if (!isMandatory && attribute.rules.length === 0) return NONE;
    const missing = isMandatory ? [NOT_NULL] : [];
    const blanks = attribute.rules.flatMap((rule) => checkRule(rule, null, undefined, now) ?? []);
    return [...missing, ...blanks];
  }
  const datatype = attribute.kind === 'datatype' ? attribute.datatype : undefined;
  const rules =
    attribute.rules.length === 0
      ? NONE
      : attribute.rules.flatMap((rule) => checkRule(rule, jsonValue, datatype, now) ?? []);
  if (attribute.kind !== 'datatype' || isReference(value)) return rules;
  const storage = checkStorage(attribute, value);
  return storage.length === 0 ? rules : [...rules, ...storage];
}

const NONE: readonly RuleText[] = [];

/** Checks the limits of the column: refused here, so that the database cuts or rounds nothing. */
function checkStorage(attribute: DatatypeAttribute, value: Value): readonly RuleText[] {
  if (familyOf(attribute.datatype) === 'decimal') return checkDigits(attribute, String(value));
  if (attribute.comparedAs !== undefined) return checkBits(attribute, String(value));
  const { length } = attribute;
  // No text has more characters than UTF-16 units.
  if (length === undefined || (typeof value === 'string' && value.length <= length) || sizeOf(value) <= length)
    return [];
  // A size rule that is as strict has already reported the violation.
  const isSaid = attribute.rules.some((rule) => rule.kind === 'size' && rule.max <= length);
  return isSaid ? [] : [sizeText(0, length)];
}

const BITS = /^bit( varying)?\((\d+)\)$/;

/** The database refuses another number of bits without the name of the column. */
function checkBits({ columnType = '' }: Pick<DatatypeAttribute, 'columnType'>, text: string): readonly RuleText[] {
  const [, varying, number] = BITS.exec(columnType) ?? [];
  const max = Number(number);
  const min = varying === undefined ? max : 0;
  // Other forms, such as `x1F`, and what is none at all, are the database's to read.
  return number === undefined || !/^[01]*$/.test(text) || (text.length >= min && text.length <= max)
    ? []
    : [sizeText(min, max)];
}

type Digits = { readonly [K in 'precision' | 'scale']?: number | undefined };

const BIG_INTEGER_DIGITS = 38;

function checkDigits(attribute: Pick<DatatypeAttribute, 'datatype'> & Digits, text: string): readonly RuleText[] {
  const isBigInteger = attribute.datatype === 'bigInteger';
  const precision = isBigInteger ? BIG_INTEGER_DIGITS : attribute.precision;
  const digits = precision === undefined ? undefined : countDigits(text);
  if (precision === undefined || digits === undefined) return [];
  const scale = isBigInteger ? 0 : (attribute.scale ?? 0);
  const fits = digits.fraction <= scale && digits.whole <= precision - scale;
  return fits ? [] : [digitsText(precision - scale, scale)];
}

/** Checks the limits of the column of one element; null is an element that was not sent. */
function checkElement(attribute: ElementsAttribute, value: unknown): readonly RuleText[] {
  if (value === null) return [];
  if (familyOf(attribute.datatype) === 'decimal') return checkDigits(attribute, String(value));
  const { length } = attribute;
  return length === undefined || sizeOf(value) <= length ? [] : [sizeText(0, length)];
}

/** Violations of an element collection: rules on the whole have no index, lengths name the element. */
export function checkElements(
  attribute: ElementsAttribute,
  values: readonly unknown[],
  now: Now,
): readonly { readonly index: number | undefined; readonly text: RuleText }[] {
  const whole = [
    // A mandatory array column is never null, but may be empty.
    ...(attribute.mandatory && values.length === 0 && !isArray(attribute) ? [NOT_NULL] : []),
    ...attribute.rules.flatMap((rule) => checkRule(rule, values, undefined, now) ?? []),
  ].map((text) => ({ index: undefined, text }));
  return [
    ...whole,
    ...values.flatMap((value, index) => checkElement(attribute, value).map((text) => ({ index, text }))),
  ];
}
