import { type Datatype, EMAIL_PATTERN, type ValidationRule } from '@lintel/metadata';
import { compareDecimals, decimalOf } from '@lintel/query';
import {
  boundText,
  EMAIL,
  INVALID,
  NOT_BLANK,
  ownText,
  patternText,
  type RuleText,
  sizeText,
  timeText,
} from '../values/messages.ts';

/** The time of the save, in UTC: `YYYY-MM-DDTHH:mm:ss.SSS`. */
export type Now = string;

/**
 * Tests one rule on one value in its JSON form. Null satisfies every rule except `not-blank`.
 *
 * @returns the text of the violation; undefined if there is none
 */
export function checkRule(
  rule: ValidationRule,
  value: unknown,
  datatype: Datatype | undefined,
  now: Now,
): RuleText | undefined {
  return keepsRule(rule, value, datatype, now) ? undefined : textOfRule(rule);
}

function keepsRule(rule: ValidationRule, value: unknown, datatype: Datatype | undefined, now: Now): boolean {
  if (rule.kind === 'not-blank') return typeof value === 'string' && value.trim() !== '';
  if (value === null || value === undefined) return true;
  switch (rule.kind) {
    case 'size': {
      const size = sizeOf(value);
      return size >= rule.min && size <= rule.max;
    }
    case 'pattern':
      return wholeMatch(rule.pattern).test(String(value));
    case 'email':
      return isEmail(String(value));
    case 'min':
    case 'max':
      return keepsBound(rule, value);
    case 'past':
    case 'future':
      return keepsTime(rule, String(value), datatype, now);
    case 'custom':
      return rule.test(value);
    default:
      return rule satisfies never;
  }
}

/** The text of a violation of the rule: its own, else the default text of its kind. */
export function textOfRule(rule: ValidationRule): RuleText {
  switch (rule.kind) {
    case 'not-blank':
      return ownText(rule.message, NOT_BLANK);
    case 'size':
      return ownText(rule.message, sizeText(rule.min, rule.max));
    case 'pattern':
      return ownText(rule.message, patternText(rule.pattern));
    case 'email':
      return ownText(rule.message, EMAIL);
    case 'min':
    case 'max':
      return ownText(rule.message, boundText(rule.kind, rule.value, rule.inclusive));
    case 'past':
    case 'future':
      return ownText(rule.message, timeText(rule.kind, rule.orPresent));
    case 'custom':
      return ownText(rule.message, INVALID);
    default:
      return rule satisfies never;
  }
}

/** Characters of a text, as PostgreSQL counts them; members of a collection. */
export const sizeOf = (value: unknown): number => (Array.isArray(value) ? value.length : codePointsOf(String(value)));

function codePointsOf(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at += 1) {
    // A pair of surrogates is one character; a single one counts as itself.
    if ((text.codePointAt(at) ?? 0) <= 0xffff) continue;
    count -= 1;
    at += 1;
  }
  return count;
}

const PATTERNS = new Map<string, RegExp>();

/** Patterns come from the application's model, so their number is bounded. */
function wholeMatch(pattern: string): RegExp {
  const known = PATTERNS.get(pattern);
  if (known !== undefined) return known;
  const expression = new RegExp(`^(?:${pattern})$`, 'u');
  PATTERNS.set(pattern, expression);
  return expression;
}

const MAX_LOCAL_LENGTH = 64;
const MAX_DOMAIN_LENGTH = 255;

/** The form of an address, not that it exists. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  return at <= MAX_LOCAL_LENGTH && text.length - at - 1 <= MAX_DOMAIN_LENGTH && wholeMatch(EMAIL_PATTERN).test(text);
}

function keepsBound(rule: Extract<ValidationRule, { kind: 'min' | 'max' }>, value: unknown): boolean {
  const [actual, bound] = [decimalOf(String(value)), decimalOf(rule.value)];
  if (actual === undefined || bound === undefined) return false;
  const order = rule.kind === 'min' ? compareDecimals(actual, bound) : compareDecimals(bound, actual);
  return order > 0 || (rule.inclusive && order === 0);
}

/** Canonical texts of one type sort as their moments do. */
function keepsTime(
  rule: Extract<ValidationRule, { kind: 'past' | 'future' }>,
  value: string,
  datatype: Datatype | undefined,
  now: Now,
): boolean {
  const present = presentOf(datatype, now);
  if (value === present) return rule.orPresent;
  return rule.kind === 'past' ? value < present : value > present;
}

function presentOf(datatype: Datatype | undefined, now: Now): string {
  switch (datatype) {
    case 'date':
    case 'localDate':
      return now.slice(0, 10);
    case 'time':
    case 'localTime':
    case 'offsetTime':
      return now.slice(11, 19);
    case 'offsetDateTime':
      return `${now}Z`;
    default:
      return now;
  }
}
