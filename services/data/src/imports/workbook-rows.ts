import { OoxmlError, sheetRows } from '@lintel/documents/tables';
import { type Cells, checkedRow } from './cells.ts';
import type { FileBytes } from './csv-rows.ts';
import type { Table } from './read-import.ts';
import { tableError } from './table-error.ts';

/** A longer file is refused when it is opened, and not read to its end. */
const MAX_BYTES = 32 * 1_048_576;

/**
 * The first sheet of a workbook.
 *
 * @throws PlatformError REQ_CANNOT_DESERIALIZE, also while its rows are read
 */
export async function openWorkbook(bytes: FileBytes): Promise<Table> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes()) {
    pieces.push(piece);
    size += piece.length;
    if (size > MAX_BYTES) break;
  }
  if (pieces.length === 0) throw tableError('The file is empty');
  const file = Buffer.concat(pieces);
  const open = () => sheetRows(file).catch(refuse);
  const { isCalendarOf1904 } = await open();
  async function* rows(): AsyncGenerator<Cells> {
    try {
      for await (const cells of (await open()).rows) yield checkedRow(cells);
    } catch (error) {
      refuse(error);
    }
  }
  return { isCalendarOf1904, rows };
}

function refuse(error: unknown): never {
  if (error instanceof OoxmlError) throw tableError(`The workbook cannot be read: ${error.message}`, error);
  throw error;
}
