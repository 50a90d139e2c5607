/** Longer than every integer of a column, and short enough that a text with an exponent stays cheap. */
const MAX_LENGTH = 400;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * The digits of a JSON number without a fraction, however it is written: `7.0` and `70e-1` are 7, as in the type
 * `integer` of JSON Schema. Serializers of languages without integers write such numbers.
 *
 * @returns the text itself if it has only digits; nothing if the number has a fraction
 */
export function integerText(text: string): string | undefined {
  if (!/[.eE]/.test(text)) return text;
  const match = text.length > MAX_LENGTH ? null : NUMBER.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = `${whole}${fraction}`.replace(/^0+(?=\d)/, '');
  if (/^0+$/.test(digits)) return '0';
  const significant = digits.replace(/0+$/, '');
  const zeros = digits.length - significant.length - fraction.length + Number(exponent);
  return zeros < 0 || significant.length + zeros > MAX_LENGTH ? undefined : `${sign}${significant}${'0'.repeat(zeros)}`;
}
