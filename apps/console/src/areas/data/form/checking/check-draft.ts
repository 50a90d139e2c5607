import type { DetailedAttributeInfo } from '@lintel/client';
import {
  entityOfValue,
  isNewLine,
  isObject,
  joinPath,
  keptLines,
  keyOfLine,
  kindOf,
  linesOf,
  type Schema,
  type Values,
} from '@lintel/react';
import type { Text } from '../../../../context.ts';
import { compareDecimals, isDecimal } from '../../values/decimals.ts';
import { isEmpty } from '../../values/is-empty.ts';
import type { FormAttribute } from '../attributes/form-attributes.ts';

/** The attributes that are entered of an instance, by its entity. */
export type FieldsOf = (entity: string, isNew: boolean) => readonly FormAttribute[];

/** What is wrong in a draft, by its paths; the server checks again, and more. */
export function checkDraft(
  context: {
    readonly schema: Schema;
    readonly fieldsOf: FieldsOf;
    readonly text: Text;
    readonly without?: string | undefined;
  },
  entity: string,
  draft: Values,
  isNew: boolean,
  path = '',
): ReadonlyMap<string, string> {
  const { schema, fieldsOf, text, without } = context;
  const mistakes = new Map<string, string>();
  const include = (nested: ReadonlyMap<string, string>): void => {
    for (const [at, message] of nested) mistakes.set(at, message);
  };
  for (const { attribute, isReadOnly } of fieldsOf(entity, isNew)) {
    const { name, type, inverse } = attribute;
    if (isReadOnly || name === without) continue;
    const at = joinPath(path, name);
    const value = draft[name];
    const kind = kindOf(attribute);
    const nested = { ...context, without: inverse };
    if (kind === 'lines') {
      for (const line of keptLines(value))
        include(
          checkDraft(nested, entityOfValue(schema, line, type), line, isNewLine(line), joinPath(at, keyOfLine(line))),
        );
    } else if (kind === 'part' && isObject(value))
      include(checkDraft(nested, entityOfValue(schema, value, type), value, value['id'] === undefined, at));
    else if (kind === 'embedded' && isObject(value)) include(checkDraft(nested, type, value, isNew, at));
    const message = mistakeOf(attribute, value, text, isNew);
    if (message !== undefined) mistakes.set(at, message);
  }
  return mistakes;
}

/** What is wrong with one value; undefined if nothing is. */
export function mistakeOf(
  attribute: DetailedAttributeInfo,
  value: unknown,
  text: Text,
  isNew: boolean,
): string | undefined {
  const kind = kindOf(attribute);
  if (kind === 'lines' || kind === 'embedded') return undefined;
  if (isEmpty(value) || (Array.isArray(value) && value.length === 0)) {
    const isLeft = attribute.writeOnly === true && !isNew;
    return attribute.mandatory && !isLeft && attribute.attributeType !== 'EMBEDDED'
      ? text('check.mandatory')
      : undefined;
  }
  if (kind === 'number') return mistakeOfNumber(attribute, String(value), text);
  if (kind === 'elements' && attribute.length !== undefined) {
    const { length } = attribute;
    return linesOf(value).some((each) => sizeOf(String(each)) > length)
      ? text('check.length', { max: length })
      : undefined;
  }
  return kind === 'value' && typeof value === 'string' ? mistakeOfText(attribute, value, text) : undefined;
}

function mistakeOfText({ length, rules = [] }: DetailedAttributeInfo, value: string, text: Text): string | undefined {
  const size = sizeOf(value);
  if (length !== undefined && size > length) return text('check.length', { max: length });
  for (const rule of rules) {
    if (rule.kind === 'size' && (size < rule.min || size > rule.max))
      return rule.message ?? text('check.size', { min: rule.min, max: rule.max });
    if (rule.kind === 'not-blank' && value.trim() === '') return rule.message ?? text('check.mandatory');
    if (rule.kind === 'pattern' && !matches(rule.pattern, value))
      return rule.message ?? text('check.pattern', { pattern: rule.pattern });
  }
  return undefined;
}

/** Characters as the server counts them: those outside of the basic plane are one. */
const sizeOf = (value: string): number => [...value].length;

/** A pattern that this browser cannot read is left to the server. */
function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').test(value);
  } catch {
    return true;
  }
}

/** Very large and very small ones have an exponent; their limits are left to the server. */
const FLOATS = new Set(['double', 'float']);
const EXPONENT = /^[-+]?\d+(?:\.\d+)?e[-+]?\d+$/i;
const WHOLE = new Set(['int', 'long', 'short', 'bigInteger']);
const RANGES: Readonly<Record<string, readonly [string, string]>> = {
  short: ['-32768', '32767'],
  int: ['-2147483648', '2147483647'],
  long: ['-9223372036854775808', '9223372036854775807'],
};

function mistakeOfNumber(
  { type, precision, scale, rules = [] }: DetailedAttributeInfo,
  value: string,
  text: Text,
): string | undefined {
  if (!isDecimal(value)) return FLOATS.has(type) && EXPONENT.test(value) ? undefined : text('check.number');
  if (WHOLE.has(type) && !/^[-+]?\d+$/.test(value)) return text('check.integer');
  const [min, max] = RANGES[type] ?? [];
  if (min !== undefined && compareDecimals(value, min) < 0) return text('check.min', { value: min });
  if (max !== undefined && compareDecimals(value, max) > 0) return text('check.max', { value: max });
  if (precision !== undefined && scale !== undefined) {
    const [whole = '', fraction = ''] = value.replace(/^[-+]?0*/, '').split('.');
    if (whole.length > precision - scale || fraction.replace(/0+$/, '').length > scale)
      return text('check.digits', { whole: precision - scale, fraction: scale });
  }
  for (const rule of rules) {
    if (rule.kind !== 'min' && rule.kind !== 'max') continue;
    const order = compareDecimals(value, rule.value) * (rule.kind === 'min' ? 1 : -1);
    if (order < 0 || (order === 0 && !rule.inclusive))
      return rule.message ?? text(`check.${rule.kind}${rule.inclusive ? '' : 'Exclusive'}`, { value: rule.value });
  }
  return undefined;
}
