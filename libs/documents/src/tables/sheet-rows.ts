import { OoxmlError, PACKAGE_LIMITS } from '../rendering/ooxml/ooxml-package.ts';
import { entriesOf, type PackageEntries } from '../rendering/ooxml/read-package.ts';
import { parsePart } from './parse-part.ts';
import { SheetReader } from './sheet-reader.ts';
import { readStrings, readStyles, readWorkbook } from './workbook-parts.ts';

/** A value of a cell: a text, a date as the number of its calendar, an error of a formula, or none. */
export type SheetCell = string | null | { readonly serial: number } | { readonly error: string };

/** The rows of a sheet, and how its dates are counted. */
export interface SheetRows {
  readonly isCalendarOf1904: boolean;
  readonly rows: AsyncIterable<readonly SheetCell[]>;
}

const SHARED_STRINGS = 'xl/sharedStrings.xml';
/** Unpacked: all shared texts are in memory. */
const MAX_SHARED_BYTES = 64 * 1024 * 1024;

/**
 * Reads the first sheet of an xlsx file row by row, without empty rows. Formulas have the values that were stored with
 * them, and are never executed.
 *
 * @throws OoxmlError also while the rows are read: for archives that unpack to more than they may, broken parts, merged
 *   cells, and rows of more than 1 MiB
 */
export async function sheetRows(file: Uint8Array): Promise<SheetRows> {
  const parts = await entriesOf(file, PACKAGE_LIMITS);
  const { sheet, isCalendarOf1904 } = await readWorkbook(parts);
  const styles = await readStyles(parts);
  if ((parts.entries.get(SHARED_STRINGS)?.uncompressedSize ?? 0) > MAX_SHARED_BYTES)
    throw new OoxmlError(`the texts of the workbook have more than ${MAX_SHARED_BYTES} bytes`);
  const strings = await readStrings(parts, SHARED_STRINGS);
  return { isCalendarOf1904, rows: rowsOf(parts, sheet, new SheetReader(strings, styles)) };
}

async function* rowsOf(parts: PackageEntries, sheet: string, reader: SheetReader) {
  for await (const _ of parsePart(parts, sheet, reader)) yield* reader.takeRows();
  yield* reader.takeRows();
}
