import type { Column } from '@lintel/metadata';
import { type LiteralType, toParameter } from '@lintel/query';
import type { Scalar } from '../values/value.ts';

/**
 * The parameters of `keyCondition`.
 *
 * @param isOne there is one key: each of its parts is a parameter; otherwise there is one array per column
 */
export const keyParameters = (
  columns: readonly Column[],
  types: readonly LiteralType[],
  keys: readonly (readonly Scalar[])[],
  isOne = false,
): readonly unknown[] =>
  columns.map((_column, at) => {
    const parts = keys.map((key) => toParameter(types[at] as LiteralType, key[at] ?? null));
    return isOne ? parts[0] : parts;
  });
