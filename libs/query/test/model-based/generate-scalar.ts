import type { Attribute } from '@lintel/metadata';
import { fc } from '@lintel/testkit/properties';
import { between, type Choose, chance, pick } from './choose.ts';
import type { Scalar, ScalarType } from './scalars.ts';

const TEXTS = [
  ...['', ' ', 'a', 'A', 'ab', 'aB', 'Abc', 'abc ', '%', '_', '100%', 'a_b', 'a%b', 'axb', '\\', 'a\\b', '\\%', '\\_'],
  ...["'", "it's", '"', '$1', '?', ':x', '{E}', '--', '/*', '\n', '\t', 'null', 'true', '0', '1', '-1', '10'],
  ...['ä', 'Ä', 'Äpfel', 'ÄPFEL', 'ß', 'Straße', 'ЖУК', 'жук', '日本', '😀', '😀x', 'é', 'e\u0301', '\u00a0', '\ufffd'],
  ...['<b>', '&amp;', '\u2028', '\u0001', '[]', '{}', '[1]', '{"id":1}'],
];

function text(choose: Choose, length: number | undefined): string {
  const chosen = chance(choose, 80) ? pick(choose, TEXTS) : choose(fc.string, { unit: 'grapheme', maxLength: 6 });
  return Array.from(chosen.replaceAll('\u0000', '')).slice(0, length).join('');
}

const SMALL = [-2, -1, 0, 1, 2, 3, 10, 100];
const MILLISECOND_TIMES = [
  '00:00:00.000',
  '00:00:00.001',
  '12:30:00.000',
  '12:30:15.000',
  '12:30:15.250',
  '23:59:59.999',
];
const TIMES = ['00:00:00', '00:00:01', '07:30:00', '12:30:15', '23:59:59'];
const OFFSETS = ['Z', '+02:00', '-05:30', '+14:00'];

const date = (choose: Choose): string =>
  chance(choose, 70)
    ? pick(choose, ['1000-01-01', '1969-12-31', '2000-02-29', '2024-02-28', '2024-02-29', '2024-03-01', '9998-12-31'])
    : new Date((between(choose, -30_000_000, 90_000_000) * 86_400_000) / 1000).toISOString().slice(0, 10);

const bits = (choose: Choose, count: number): bigint => {
  const limit = 2n ** BigInt(count - 1);
  return chance(choose, 60)
    ? BigInt(pick(choose, SMALL))
    : pick(choose, [limit - 1n, -limit, 2n ** 53n + 1n, choose(fc.bigInt, { min: -limit, max: limit - 1n })]);
};

function decimal(choose: Choose, attribute: Attribute): string {
  const { precision, scale } = attribute.kind === 'datatype' ? attribute : { precision: undefined, scale: undefined };
  const fraction = scale ?? between(choose, 0, 20);
  const whole = (precision ?? 60) - fraction;
  const limit = 10n ** BigInt(whole);
  const number = chance(choose, 50)
    ? BigInt(pick(choose, SMALL)) % limit
    : choose(fc.bigInt, { min: -limit + 1n, max: limit - 1n });
  const digits = choose(fc.bigInt, { min: 0n, max: 10n ** BigInt(fraction) - 1n });
  const rest = chance(choose, 40) ? '0'.repeat(fraction) : String(digits).padStart(fraction, '0');
  return fraction === 0 ? String(number) : `${number}.${rest}`;
}

const finite = (choose: Choose): number =>
  chance(choose, 50)
    ? pick(choose, [0, 1, -1, 0.1, 0.2, 0.30000000000000004, 1e21, 1.5e-7, Number.MAX_SAFE_INTEGER])
    : choose(fc.double, { noNaN: true, noDefaultInfinity: true });

const single = (choose: Choose): number =>
  chance(choose, 50)
    ? Math.fround(pick(choose, [0, 1, -1, 0.1, 3.4e38, 1e-30, 16777217]))
    : choose(fc.float, { noNaN: true, noDefaultInfinity: true });

const UUIDS = [1, 2, 3, 255, 4096].map((at) => `a0000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}`);

/** A value that the attribute's column can hold. Values repeat, so that filters find some. */
export function generateScalar(choose: Choose, attribute: Attribute, type: ScalarType): Scalar {
  if (type.kind === 'enum') return pick(choose, type.values).name;
  switch (type.datatype) {
    case 'string':
      return text(
        choose,
        attribute.kind === 'datatype' || attribute.kind === 'elements' ? attribute.length : undefined,
      );
    case 'char':
      return text(choose, 1) || 'x';
    case 'uri':
    case 'fileRef':
      return pick(choose, ['fs://2026/01/a.txt?name=a%20b.txt', 'FS://x', 'https://example.org/?q=1', '%', '']);
    case 'boolean':
      return chance(choose, 50);
    case 'short':
      return Number(chance(choose, 80) ? BigInt(pick(choose, SMALL)) : pick(choose, [-32768n, 32767n]));
    case 'int':
      return Number(chance(choose, 80) ? BigInt(pick(choose, SMALL)) : pick(choose, [-2147483648n, 2147483647n]));
    case 'long':
      return bits(choose, 64);
    case 'bigInteger':
      return bits(choose, 126);
    case 'decimal':
      return decimal(choose, attribute);
    case 'double':
      return finite(choose);
    case 'float':
      return single(choose);
    case 'uuid':
      return chance(choose, 70) ? pick(choose, UUIDS) : choose(fc.uuid);
    case 'date':
    case 'localDate':
      return date(choose);
    case 'dateTime':
    case 'localDateTime':
      return `${date(choose)}T${pick(choose, MILLISECOND_TIMES)}`;
    case 'offsetDateTime':
      return `${date(choose)}T${pick(choose, MILLISECOND_TIMES)}Z`;
    case 'time':
    case 'localTime':
      return pick(choose, TIMES);
    case 'offsetTime':
      return `${pick(choose, TIMES)}${pick(choose, OFFSETS)}`;
    // The model of these tests has no JSON attributes.
    case 'json':
      return text(choose, 20);
    case 'byteArray':
      return Buffer.from(pick(choose, ['', '\u0000', 'a', 'ab', 'abc', 'x'.repeat(100)])).toString('base64');
    default:
      return type.datatype satisfies never;
  }
}
