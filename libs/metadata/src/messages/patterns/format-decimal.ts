import type { NumberSymbols } from '../locale-formats.ts';
import { FormatError } from './format-error.ts';
import { plainDecimal } from './plain-decimal.ts';

interface NumberPattern {
  readonly prefix: string;
  readonly suffix: string;
  readonly fewestIntegers: number;
  readonly fewestFractions: number;
  readonly maxFractions: number;
  /** Digits of a group; 0 for none. */
  readonly groupSize: number;
  /** The number is multiplied by ten to this power: 2 for percent. */
  readonly shift: number;
}

/** Replaces a quoted text; a character of the private use area, so that no pattern contains it. */
const QUOTED = '\uE000';
const NUMBER_PART = /[#0,.]+/;
const parsed = new Map<string, readonly [NumberPattern, NumberPattern | undefined]>();

/**
 * Writes a number by a decimal pattern (`#,##0.00`, `0.###`, `0 %`, `'No. '0`, `0;(0)`), rounding half to
 * even. The number is given as text, so no digit is lost.
 *
 * @throws FormatError for an invalid pattern or number
 */
export function formatDecimal(text: string, pattern: string, symbols: NumberSymbols): string {
  const plain = plainDecimal(text);
  if (plain === undefined) throw new FormatError(`${text} is no number and cannot be formatted as ${pattern}`);
  const [positive, negative] = patternsOf(pattern);
  const digits = roundedDigits(plain.replace('-', ''), positive);
  const isNegative = plain.startsWith('-') && /[1-9]/.test(digits);
  const number = localised(digits, positive, symbols);
  if (!isNegative) return `${positive.prefix}${number}${positive.suffix}`;
  return negative === undefined
    ? `-${positive.prefix}${number}${positive.suffix}`
    : `${negative.prefix}${number}${negative.suffix}`;
}

function patternsOf(pattern: string): readonly [NumberPattern, NumberPattern | undefined] {
  const known = parsed.get(pattern);
  if (known !== undefined) return known;
  const [positive = '', negative] = splitUnquoted(pattern);
  const result = [
    parsePattern(positive, pattern),
    negative === undefined ? undefined : parsePattern(negative, pattern),
  ] as const;
  if (parsed.size < 1000) parsed.set(pattern, result);
  return result;
}

/** The positive and the negative half, which `;` separates outside quotes. */
function splitUnquoted(pattern: string): readonly string[] {
  const parts = pattern.split(/;(?=(?:[^']*'[^']*')*[^']*$)/);
  if (parts.length > 2) throw new FormatError(`The number format ${pattern} has more than two parts`);
  return parts;
}

function parsePattern(text: string, whole: string): NumberPattern {
  const literals: string[] = [];
  // Quoted text is put aside, so that its characters mean nothing.
  const bare = text.replace(/'([^']*)'/g, (_, quoted: string) => {
    literals.push(quoted === '' ? "'" : quoted);
    return QUOTED;
  });
  const number = NUMBER_PART.exec(bare);
  if (number === null || /[#0,.]/.test(bare.slice(number.index + number[0].length)))
    throw new FormatError(`The number format ${whole} is not valid`);
  const [integers = '', fractions = '', ...more] = number[0].split('.');
  if (more.length > 0 || !/^[#,]*[0,]*$/.test(integers) || !/^0*#*$/.test(fractions))
    throw new FormatError(`The number format ${whole} is not valid`);
  const restore = (part: string): string => part.replaceAll(QUOTED, () => literals.shift() ?? '');
  const comma = integers.lastIndexOf(',');
  const before = bare.slice(0, number.index);
  const after = bare.slice(number.index + number[0].length);
  return {
    prefix: restore(before),
    suffix: restore(after),
    fewestIntegers: integers.replace(/[^0]/g, '').length,
    fewestFractions: fractions.replace(/#/g, '').length,
    maxFractions: fractions.length,
    groupSize: comma < 0 ? 0 : integers.length - comma - 1,
    shift: /%/.test(before + after) ? 2 : /‰/.test(before + after) ? 3 : 0,
  };
}

/** The digits `<integers>.<fractions>` of a number without sign, shifted and rounded. */
function roundedDigits(plain: string, pattern: NumberPattern): string {
  const [integers = '0', fractions = ''] = plain.split('.');
  const shifted = fractions.padEnd(pattern.shift, '0');
  const whole = integers + shifted.slice(0, pattern.shift);
  const fraction = shifted.slice(pattern.shift);
  const digits = pattern.maxFractions;
  if (fraction.length <= digits) return `${whole}.${fraction}`;
  const kept = BigInt(whole + fraction.slice(0, digits));
  const cut = fraction.slice(digits);
  const half = `5${'0'.repeat(cut.length - 1)}`;
  const roundsUp = cut > half || (cut === half && kept % 2n === 1n);
  const rounded = String(roundsUp ? kept + 1n : kept).padStart(digits + 1, '0');
  return `${rounded.slice(0, rounded.length - digits)}.${rounded.slice(rounded.length - digits)}`;
}

function localised(digits: string, pattern: NumberPattern, symbols: NumberSymbols): string {
  const [whole = '', fraction = ''] = digits.split('.');
  const significant = fraction.replace(/0+$/, '').padEnd(pattern.fewestFractions, '0');
  const bareInteger = whole.replace(/^0+/, '').padStart(pattern.fewestIntegers, '0');
  const integer = bareInteger === '' && significant === '' ? '0' : bareInteger;
  const grouped =
    pattern.groupSize === 0
      ? integer
      : integer.replace(new RegExp(`\\B(?=(\\d{${pattern.groupSize}})+$)`, 'g'), () => symbols.grouping);
  return significant === '' ? grouped : `${grouped}${symbols.decimal}${significant}`;
}
