import type { ServerResponse } from 'node:http';
import { EXPORT_TYPES } from '@lintel/contracts';
import { type WrittenCell, workbookStream } from '@lintel/documents/tables';
import { sendStream } from '@lintel/http';
import { type ExactJson, ExactNumber, type TableColumn, type TableColumns, valuesOf } from '@lintel/query';
import type { ExportedTable, RowBatch } from '@lintel/reading';

type Rows = readonly (readonly WrittenCell[])[];

/**
 * Sends rows as a workbook. The head is sent with the first batch, so that an error before it has a regular response.
 *
 * @param setHead sets the headers that are known with the first batch
 */
export async function sendWorkbook(
  response: ServerResponse,
  table: ExportedTable,
  batches: AsyncIterable<RowBatch>,
  setHead: () => void,
): Promise<void> {
  const source = batches[Symbol.asyncIterator]();
  const first = await source.next();
  setHead();
  response.setHeader('Content-Type', EXPORT_TYPES.xlsx);
  if (response.req.method === 'HEAD') {
    await source.return?.();
    response.end();
    return;
  }
  await sendStream(response, workbookStream(table.headers, rowsOf(table, first, source)));
}

/** The bytes of a workbook; an error before the first batch is thrown at once. */
export async function workbookOf(
  table: ExportedTable,
  batches: AsyncIterable<RowBatch>,
): Promise<AsyncIterable<Uint8Array>> {
  const source = batches[Symbol.asyncIterator]();
  return workbookStream(table.headers, rowsOf(table, await source.next(), source));
}

async function* rowsOf(
  table: TableColumns,
  first: IteratorResult<RowBatch>,
  source: AsyncIterator<RowBatch>,
): AsyncGenerator<Rows> {
  try {
    for (let next = first; next.done !== true; next = await source.next()) {
      // Rows of workbooks are never joined.
      if ('pieces' in next.value) throw new Error('Rows of a workbook were joined');
      yield next.value.flatMap((json) =>
        valuesOf(json, table).map((values) => values.map((value, at) => cellOf(value, table.columns[at]))),
      );
    }
  } finally {
    await source.return?.();
  }
}

/** Digits that a number of a spreadsheet keeps. */
const MAX_DIGITS = 15;

function cellOf(value: ExactJson, column: TableColumn | undefined): WrittenCell {
  if (value === null || typeof value === 'boolean') return value;
  if (column?.kind === 'json') return JSON.stringify(value);
  if (value instanceof ExactNumber) {
    const text = String(value);
    const digits = text
      .replace(/e.*$/i, '')
      .replace(/\D/g, '')
      .replace(/^0+|0+$/g, '');
    return digits.length <= MAX_DIGITS ? Number(text) : text;
  }
  const kind = column?.temporal;
  const text = String(value);
  return kind === 'date' || kind === 'dateTime' || kind === 'time' ? { iso: text, kind } : text;
}
