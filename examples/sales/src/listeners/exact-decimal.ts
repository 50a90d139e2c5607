/** Decimal arithmetic without rounding, over BigInt: enough for prices, quantities and percents. */
export interface ExactDecimal {
  plus(other: ExactDecimal): ExactDecimal;
  minus(other: ExactDecimal): ExactDecimal;
  times(other: ExactDecimal): ExactDecimal;
  /** Text with that many digits after the point, rounded half up (away from zero). */
  toFixed(digits: number): string;
  readonly unscaled: bigint;
  readonly scale: number;
}

const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent);

function create(unscaled: bigint, scale: number): ExactDecimal {
  const aligned = (other: ExactDecimal): readonly [bigint, bigint, number] => {
    const common = Math.max(scale, other.scale);
    return [unscaled * powerOfTen(common - scale), other.unscaled * powerOfTen(common - other.scale), common];
  };
  return {
    unscaled,
    scale,
    plus(other) {
      const [left, right, common] = aligned(other);
      return create(left + right, common);
    },
    minus(other) {
      const [left, right, common] = aligned(other);
      return create(left - right, common);
    },
    times: (other) => create(unscaled * other.unscaled, scale + other.scale),
    toFixed(digits) {
      let rounded = unscaled;
      if (scale < digits) rounded = unscaled * powerOfTen(digits - scale);
      else if (scale > digits) {
        const divisor = powerOfTen(scale - digits);
        const half = divisor / 2n;
        rounded = (unscaled >= 0n ? unscaled + half : unscaled - half) / divisor;
      }
      const text = (rounded < 0n ? -rounded : rounded).toString().padStart(digits + 1, '0');
      const sign = rounded < 0n ? '-' : '';
      return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
    },
  };
}

/**
 * Reads a decimal from its text; `missing` stands for a value that is not there.
 *
 * @throws TypeError when the text is no decimal
 */
export function decimalOf(value: unknown, missing: string): ExactDecimal {
  const text = value === undefined || value === null ? missing : String(value);
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new TypeError(`${text} is no decimal`);
  const fraction = match[3] ?? '';
  return create(BigInt(`${match[1]}${match[2]}${fraction}`), fraction.length);
}
