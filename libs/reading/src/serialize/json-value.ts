import { type Datatype, familyOf } from '@lintel/metadata';
import { ExactNumber } from '@lintel/query';
import { canonicalOf } from './scalar-text.ts';

/**
 * A value of application code in its JSON form: exact texts of decimals and 64-bit integers become numbers with all
 * their digits.
 *
 * @throws TypeError if the value does not have the datatype
 */
export function jsonScalar(datatype: Datatype, value: unknown): unknown {
  if (datatype === 'json') return value;
  const canonical = canonicalOf(datatype, value);
  const isNumeric = familyOf(datatype) === 'decimal' || datatype === 'long';
  return isNumeric && typeof canonical === 'string' ? new ExactNumber(canonical) : canonical;
}
