import { type Datatype, familyOf } from '@lintel/metadata';
import { ExactNumber } from '@lintel/query';
import { canonicalOf } from './scalar-text.ts';

/**
 * A value of application code as it stands in JSON: exact texts of decimals and 64-bit integers become
 * numbers with all their digits.
 *
 * @throws TypeError where the value is none of the datatype
 */
export function jsonScalar(datatype: Datatype, value: unknown): unknown {
  const canonical = canonicalOf(datatype, value);
  const isNumeric = familyOf(datatype) === 'decimal' || datatype === 'long';
  return isNumeric && typeof canonical === 'string' ? new ExactNumber(canonical) : canonical;
}
