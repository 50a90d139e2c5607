import { type Column, type Entity, quoteIdentifier, quoteTable, tableOf } from '@lintel/metadata';
import type { LiteralType } from '@lintel/query';
import { toParameter } from '../values/column-value.ts';
import type { Key } from '../values/value.ts';

/** Table of an entity with its schema, quoted. */
export const tableName = (entity: Entity): string => quoteTable(tableOf(entity));

/**
 * A type for parameters: without length and scale, so that a value that does not fit is refused by the
 * column and never cut by a cast. `character` alone would be of length 1.
 */
export const parameterType = (type: string): string =>
  type.startsWith('character(') ? 'bpchar' : type.replace(/\([^)]*\)/, '');

/** `$1::uuid[], $2::date[]`, the arrays of the columns' values. */
export const arrayParameters = (columns: readonly Column[], first: number): string =>
  columns.map((column, at) => `$${first + at}::${parameterType(column.type)}[]`).join(', ');

/**
 * Rows whose columns hold one of the keys that `keyParameters` gives.
 *
 * @param isOne there is one key: compared by `=`, because PostgreSQL plans a comparison with an array anew each
 *   time it is run, not knowing how many elements will come
 */
export function keyCondition(alias: string, columns: readonly Column[], first: number, isOne = false): string {
  const names = columns.map(({ name }) => `${alias === '' ? '' : `${alias}.`}${quoteIdentifier(name)}`);
  if (isOne) {
    const elements = columns.map(({ type }, at) => `($${first + at}::${parameterType(type)}[])[1]`);
    return names.map((name, at) => `${name} = ${elements[at]}`).join(' AND ');
  }
  if (columns.length === 1) return `${names[0]} = ANY(${arrayParameters(columns, first)})`;
  return `(${names.join(', ')}) IN (SELECT * FROM unnest(${arrayParameters(columns, first)}))`;
}

/** One array per column. */
export const keyParameters = (
  columns: readonly Column[],
  types: readonly LiteralType[],
  keys: readonly Key[],
): readonly unknown[] =>
  columns.map((_column, at) => keys.map((key) => toParameter(types[at] as LiteralType, key[at] ?? null)));
