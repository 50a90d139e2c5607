import { compareDecimals, decimalOf } from '@lintel/query';
import { isReference, keyText, type Value } from './value.ts';

/** Whether two values of one attribute are the same; `decimal` values are compared as numbers. */
export function isSameValue(left: Value | undefined, right: Value | undefined, isDecimal: boolean): boolean {
  if (left === undefined || right === undefined) return left === right;
  if (isReference(left) || isReference(right))
    return isReference(left) && isReference(right) && keyText(left.key) === keyText(right.key);
  if (Array.isArray(left) || Array.isArray(right)) return JSON.stringify(left) === JSON.stringify(right);
  if (isDecimal && typeof left === 'string' && typeof right === 'string') {
    const [one, other] = [decimalOf(left), decimalOf(right)];
    return one !== undefined && other !== undefined && compareDecimals(one, other) === 0;
  }
  return left === right;
}
