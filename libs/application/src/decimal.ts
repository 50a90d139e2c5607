/** What a decimal can be made of: a text such as `-12.50` or `1e-3`, a number, or an `ExactNumber` of an instance. */
export type DecimalInput = Decimal | string | number | bigint | { toString(): string };

const FORM = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;

const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent);

/**
 * A decimal number without rounding errors: sums, differences and products are exact, of any length. Only `round`,
 * `toFixed` and `dividedBy` round: half up, away from zero. A value does not change; each operation returns a new one.
 */
export class Decimal {
  readonly #unscaled: bigint;
  readonly #scale: number;

  private constructor(unscaled: bigint, scale: number) {
    this.#unscaled = unscaled;
    this.#scale = scale;
  }

  /**
   * The decimal of a value. A number counts as the text that JavaScript writes for it: `0.1` is 0.1.
   *
   * @throws TypeError for a value that is no decimal: null, undefined, `NaN`, an empty text
   */
  static of(value: DecimalInput): Decimal {
    if (value instanceof Decimal) return value;
    const match = FORM.exec(String(value));
    if (match === null) throw new TypeError(`${String(value)} is no decimal`);
    const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
    const unscaled = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
    const scale = fraction.length - Number(exponent);
    return scale < 0 ? new Decimal(unscaled * powerOfTen(-scale), 0) : new Decimal(unscaled, scale);
  }

  /** The decimal of a value of an instance, which may be absent: null and undefined are `missing`. */
  static from(value: unknown, missing: DecimalInput = 0): Decimal {
    return Decimal.of((value ?? missing) as DecimalInput);
  }

  /** The sum of all; 0 of none. */
  static sum(values: Iterable<DecimalInput>): Decimal {
    let total = new Decimal(0n, 0);
    for (const value of values) total = total.plus(value);
    return total;
  }

  /** The exact sum. */
  plus(other: DecimalInput): Decimal {
    const [left, right, scale] = this.#aligned(Decimal.of(other));
    return new Decimal(left + right, scale);
  }

  /** The exact difference. */
  minus(other: DecimalInput): Decimal {
    return this.plus(Decimal.of(other).negated());
  }

  /** The exact product. */
  times(other: DecimalInput): Decimal {
    const factor = Decimal.of(other);
    return new Decimal(this.#unscaled * factor.#unscaled, this.#scale + factor.#scale);
  }

  /**
   * The quotient with that many digits after the point.
   *
   * @throws RangeError for a division by zero
   */
  dividedBy(other: DecimalInput, digits: number): Decimal {
    const divisor = Decimal.of(other);
    if (divisor.#unscaled === 0n) throw new RangeError('Division by zero');
    const dividend = this.#unscaled * powerOfTen(divisor.#scale + digits);
    return new Decimal(divideHalfUp(dividend, divisor.#unscaled * powerOfTen(this.#scale)), digits);
  }

  /** The number with the other sign. */
  negated(): Decimal {
    return new Decimal(-this.#unscaled, this.#scale);
  }

  /** With that many digits after the point, or fewer. */
  round(digits: number): Decimal {
    if (this.#scale <= digits) return this;
    return new Decimal(divideHalfUp(this.#unscaled, powerOfTen(this.#scale - digits)), digits);
  }

  /** Negative, 0 or positive, for `Array.sort`; trailing zeros do not count. */
  compare(other: DecimalInput): number {
    const [left, right] = this.#aligned(Decimal.of(other));
    if (left === right) return 0;
    return left < right ? -1 : 1;
  }

  /** Whether both are the same number: 1.50 equals 1.5. */
  equals(other: DecimalInput): boolean {
    return this.compare(other) === 0;
  }

  /** Text with exactly that many digits after the point, as attributes of the datatype decimal accept it. */
  toFixed(digits: number): string {
    const { text, sign } = this.round(digits).#written(digits);
    return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
  }

  /** All digits, without trailing zeros after the point. */
  toString(): string {
    const text = this.toFixed(this.#scale);
    return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  }

  /** As text, so that no digit is lost. */
  toJSON(): string {
    return this.toString();
  }

  #aligned(other: Decimal): readonly [bigint, bigint, number] {
    const scale = Math.max(this.#scale, other.#scale);
    const widen = (each: Decimal): bigint => each.#unscaled * powerOfTen(scale - each.#scale);
    return [widen(this), widen(other), scale];
  }

  #written(digits: number): { readonly text: string; readonly sign: string } {
    const widened = this.#unscaled * powerOfTen(Math.max(0, digits - this.#scale));
    const text = (widened < 0n ? -widened : widened).toString().padStart(digits + 1, '0');
    return { text, sign: widened < 0n ? '-' : '' };
  }
}

function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [top, bottom] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const rounded = (2n * top + bottom) / (2n * bottom);
  return isNegative ? -rounded : rounded;
}
