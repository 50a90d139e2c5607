import type { Column } from '@lintel/metadata';
import type { LiteralType } from '@lintel/query';
import { toParameter } from '../values/column-value.ts';
import type { Key } from '../values/value.ts';

/** One array per column. */
export const keyParameters = (
  columns: readonly Column[],
  types: readonly LiteralType[],
  keys: readonly Key[],
): readonly unknown[] =>
  columns.map((_column, at) => keys.map((key) => toParameter(types[at] as LiteralType, key[at] ?? null)));
