import { setImmediate } from 'node:timers/promises';
import { shapeRow } from '@lintel/query';
import type { JsonRow } from '../statements/execute-statement.ts';
import type { PreparedRead } from './prepared-read.ts';

/** Characters of objects that are made of rows between two pauses: some ten milliseconds of work. */
const SLICE_CHARACTERS = 128 * 1024;

/** The JSON of a row; undefined if a predicate hides it from the caller. */
export const shapeOne = ({ compiled, parsed, access }: PreparedRead, { json }: JsonRow): string | undefined =>
  shapeRow(json, compiled.rows.shape, {
    omitNulls: !parsed.returnNulls,
    session: access.sessionValue,
    ...(access.encryptToken === undefined ? {} : { encryptToken: access.encryptToken }),
  });

/**
 * Shapes rows that were read together, without those that a predicate hides. Long rows that code must complete are
 * shaped in slices, between which other requests are handled; otherwise the result is no promise.
 *
 * @param toResult makes the result of a visible row
 */
export function shapeRows<Row extends JsonRow, Result>(
  read: PreparedRead,
  rows: readonly Row[],
  toResult: (json: string, row: Row) => Result,
): readonly Result[] | Promise<readonly Result[]> {
  return isLong(read, rows) ? shapeInSlices(read, rows, toResult) : rows.flatMap((row) => shaped(read, row, toResult));
}

function shaped<Row extends JsonRow, Result>(
  read: PreparedRead,
  row: Row,
  toResult: (json: string, row: Row) => Result,
): Result[] {
  const json = shapeOne(read, row);
  return json === undefined ? [] : [toResult(json, row)];
}

async function shapeInSlices<Row extends JsonRow, Result>(
  read: PreparedRead,
  rows: readonly Row[],
  toResult: (json: string, row: Row) => Result,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let characters = 0;
  for (const row of rows) {
    if (characters > SLICE_CHARACTERS) {
      await setImmediate();
      characters = 0;
    }
    characters += row.json.length;
    results.push(...shaped(read, row, toResult));
  }
  return results;
}

/** Texts of the database are no work. */
function isLong({ compiled }: PreparedRead, rows: readonly JsonRow[]): boolean {
  if (compiled.rows.shape.kind === 'text') return false;
  let characters = 0;
  for (const { json } of rows) characters += json.length;
  return characters > SLICE_CHARACTERS;
}
