/** Larger exponents would give texts of unusable length. */
const GREATEST_EXPONENT = 400;

/** A number's text without an exponent: `1.5e3` → `1500`; undefined when it is none or absurdly long. */
export function plainDecimal(text: string): string | undefined {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > GREATEST_EXPONENT) return undefined;
  const point = whole.length + exponent;
  const digits = `${'0'.repeat(Math.max(0, 1 - point))}${whole}${fraction}`;
  const padded = digits.padEnd(Math.max(point, 1), '0');
  const split = Math.max(point, 1);
  const integer = padded.slice(0, split).replace(/^0+(?=\d)/, '');
  const rest = padded.slice(split);
  return `${sign === '-' ? '-' : ''}${integer}${rest === '' ? '' : `.${rest}`}`;
}
