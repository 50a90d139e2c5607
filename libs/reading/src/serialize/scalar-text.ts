import type { Datatype } from '@lintel/metadata';
import { canonicalScalar, ExactNumber } from '@lintel/query';

/** Datatypes that are a date without a time. */
const DATES: ReadonlySet<Datatype> = new Set<Datatype>(['date', 'localDate']);

/**
 * A value of application code by its datatype, in canonical form: exact numbers with their scale, ISO dates. Native
 * JavaScript values are accepted: numbers, bigints, `Date` (in UTC), bytes.
 *
 * @throws TypeError if the value does not have the datatype: a mistake of the application
 */
export function canonicalOf(datatype: Datatype, value: unknown): string | number | boolean | null {
  const sent = plainOf(datatype, value);
  const parsed =
    typeof sent === 'string' || typeof sent === 'boolean' || sent instanceof ExactNumber
      ? canonicalScalar({ kind: 'datatype', datatype }, sent)
      : undefined;
  if (parsed === undefined) throw new TypeError(`A value is no ${datatype}`);
  return parsed.value;
}

function plainOf(datatype: Datatype, value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return new ExactNumber(String(value));
  if (value instanceof Date) {
    const text = value.toISOString();
    if (DATES.has(datatype)) return text.slice(0, 10);
    return datatype === 'offsetDateTime' ? text : text.slice(0, -1);
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return value;
}
