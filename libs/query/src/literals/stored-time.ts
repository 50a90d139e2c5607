import type { IgnoredPart } from '@lintel/contracts';
import type { LiteralType } from './literal-type.ts';
import type { Parsed } from './parse-text.ts';

/** How times of clients are read (contract/instances.md#values). */
export interface TimeReading {
  /** What happens to the offset of a `dateTime` (`svc.rest.date-time-offset`); it is ignored by default. */
  readonly offsets?: 'ignore' | 'convert' | 'refuse' | undefined;
  /** Takes the parts without an effect, and where the value is. */
  note?(part: IgnoredPart, path: string): void;
}

const NONE: TimeReading = Object.freeze({});

/**
 * A parsed time as it is stored: with the digits of the fraction that its type has, a `dateTime` in UTC where offsets
 * are converted. Other values are returned unchanged.
 *
 * @param path of the value, for `note`
 * @returns nothing for an offset that is refused, and for a time that has no four digits of the year in UTC
 */
export function storedTime(type: LiteralType, parsed: Parsed, times: TimeReading = NONE, path = ''): Parsed {
  if (type.kind !== 'datatype' || typeof parsed?.value !== 'string') return parsed;
  const digits = digitsOf(type);
  if (digits === undefined) return parsed;
  const { value, offset } = parsed;
  const fraction = /\.(\d+)/.exec(value);
  const surplus = fraction?.[1]?.slice(digits) ?? '';
  if (surplus === '' && offset === undefined) return parsed;
  if (offset !== undefined && times.offsets === 'refuse') return undefined;
  const cut = surplus === '' ? value : value.replace(/\.\d+/, (all) => all.slice(0, digits === 0 ? 0 : digits + 1));
  if (/[1-9]/.test(surplus)) times.note?.('fraction', path);
  if (offset === undefined) return { value: cut };
  if (times.offsets === 'convert' && type.datatype === 'dateTime') return inUtc(cut, offset);
  times.note?.('offset', path);
  return { value: cut };
}

/** The digits of the fraction of a second; undefined for what is no time. */
function digitsOf(type: Extract<LiteralType, { readonly kind: 'datatype' }>): number | undefined {
  switch (type.datatype) {
    case 'dateTime':
    case 'localDateTime':
    case 'offsetDateTime':
      return type.microseconds === true ? 6 : 3;
    case 'date':
    case 'localDate':
    case 'time':
    case 'localTime':
    case 'offsetTime':
      return 0;
    default:
      return undefined;
  }
}

/** There is no year 0, and other years begin with a sign. */
const FOUR_DIGITS = /^(?!0000)\d{4}-/;

/** The date-time in UTC, without an offset. The offset is one of minutes, so that the fraction does not change. */
export function inUtc(text: string, offset: string): { readonly value: string } | undefined {
  const [seconds, fraction] = text.split('.');
  const utc = new Date(`${seconds}${offset}`).toISOString();
  if (!FOUR_DIGITS.test(utc)) return undefined;
  return { value: `${utc.slice(0, 19)}${fraction === undefined ? '' : `.${fraction}`}` };
}
