import { OoxmlError, sheetRows } from '@lintel/documents/tables';
import { type Cells, checkedRow } from './cells.ts';
import type { Table } from './read-import.ts';
import { tableError } from './table-error.ts';

/**
 * The first sheet of a workbook.
 *
 * @throws PlatformError REQ_CANNOT_DESERIALIZE, also while its rows are read
 */
export async function openWorkbook(file: Buffer): Promise<Table> {
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
