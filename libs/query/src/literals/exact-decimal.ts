/** A decimal number without rounding: `digits` × 10^-`scale`. */
export interface ExactDecimal {
  readonly digits: bigint;
  readonly scale: number;
}

const FORM = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;

const PLAIN = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Whether the text is that of `formatDecimal`, for a number that is not negative. */
export const isPlainDecimal = (text: string): boolean => PLAIN.test(text);

/** The decimal of a text such as `-10.50` or `1e3`; undefined when the text is no number. */
export function decimalOf(text: string): ExactDecimal | undefined {
  const match = FORM.exec(text.trim());
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(`${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  const signed = sign === '-' ? -digits : digits;
  return scale >= 0 ? { digits: signed, scale } : { digits: signed * 10n ** BigInt(-scale), scale: 0 };
}

/** Negative, zero or positive as `left` is less than, equal to or greater than `right`. */
export function compareDecimals(left: ExactDecimal, right: ExactDecimal): number {
  const scale = Math.max(left.scale, right.scale);
  const difference =
    left.digits * 10n ** BigInt(scale - left.scale) - right.digits * 10n ** BigInt(scale - right.scale);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** The same number without needless zeros after the point. */
export function trimDecimal({ digits, scale }: ExactDecimal): ExactDecimal {
  let [rest, decimals] = [digits, scale];
  while (decimals > 0 && rest % 10n === 0n) {
    rest /= 10n;
    decimals -= 1;
  }
  return { digits: rest, scale: decimals };
}

/** The number in plain notation, with exactly `scale` digits after the point. */
export function formatDecimal({ digits, scale }: ExactDecimal): string {
  const negative = digits < 0n;
  const text = (negative ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  return `${negative ? '-' : ''}${whole}${scale === 0 ? '' : `.${text.slice(-scale)}`}`;
}

/** The numbers of digits before and after the point, without needless zeros; undefined when the text is no number. */
export function countDigits(text: string): { readonly whole: number; readonly fraction: number } | undefined {
  if (isPlainDecimal(text)) {
    const point = text.indexOf('.');
    const whole = point < 0 ? text.length : point;
    let end = text.length;
    while (end > whole + 1 && text[end - 1] === '0') end -= 1;
    return { whole: text[0] === '0' ? 0 : whole, fraction: Math.max(end - whole - 1, 0) };
  }
  const decimal = decimalOf(text);
  if (decimal === undefined) return undefined;
  const number = trimDecimal(decimal);
  return { whole: wholeDigitsOf(number), fraction: number.scale };
}

/** Number of digits before the point; 0 for numbers between -1 and 1. */
export function wholeDigitsOf({ digits, scale }: ExactDecimal): number {
  const whole = (digits < 0n ? -digits : digits) / 10n ** BigInt(scale);
  return whole === 0n ? 0 : whole.toString().length;
}
