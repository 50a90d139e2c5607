import { isExactObject, parseExactJson } from '@lintel/query';
import { nextIteration } from '@lintel/timing';
import { type Cells, csvRows, delimiterOf, ndjsonLines } from './csv-rows.ts';
import { type ColumnNames, type ImportColumn, mapColumns } from './map-columns.ts';
import { CellError, rowJson } from './row-json.ts';
import type { ImportRow } from './run-import.ts';
import { tableError } from './table-error.ts';

/** The columns of a file, and its rows. */
export interface ReadImport {
  readonly columns: readonly ImportColumn[];
  readonly rows: AsyncIterable<ImportRow>;
}

/** The form of a file. */
export interface FileForm {
  readonly format: 'csv' | 'ndjson';
  /** Found without it. */
  readonly delimiter: string | undefined;
  readonly columns: ColumnNames['given'];
  readonly skipsEmpty: boolean;
}

interface Table extends Pick<FileForm, 'skipsEmpty'> {
  readonly file: Buffer;
  readonly delimiter: string;
}

/**
 * Maps the columns, and reads the file once to its end, so that a broken file is refused before its first row is
 * imported.
 */
export async function readImport(
  file: Buffer,
  { format, skipsEmpty, columns: given, delimiter = delimiterOf(file) }: FileForm,
  names: Omit<ColumnNames, 'given'>,
): Promise<ReadImport> {
  if (format === 'ndjson') return { columns: [], rows: jsonRows(file) };
  let header: Cells | undefined;
  for await (const cells of csvRows(file, delimiter)) header ??= cells;
  if (header === undefined) throw tableError('The file has no header');
  const columns = mapColumns(header, { ...names, given });
  return { columns, rows: tableRows({ file, delimiter, skipsEmpty }, columns) };
}

async function* tableRows(
  { file, delimiter, skipsEmpty }: Table,
  columns: readonly ImportColumn[],
): AsyncGenerator<ImportRow> {
  let row = -1;
  for await (const cells of csvRows(file, delimiter)) {
    row += 1;
    if (row > 0) yield rowOf(row, cells, columns, skipsEmpty);
  }
}

function rowOf(row: number, cells: Cells, columns: readonly ImportColumn[], skipsEmpty: boolean): ImportRow {
  if (cells.length !== columns.length)
    return { row, refusal: { reason: `The row has ${cells.length} cells, the header has ${columns.length}` } };
  try {
    return { row, json: rowJson(columns, cells, skipsEmpty) };
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    const { column, path } = error.column;
    return { row, refusal: { column, attribute: path?.join('.') ?? '', reason: error.message } };
  }
}

/** Lines that are read between two pauses. */
const LINES_AT_ONCE = 200;

async function* jsonRows(file: Buffer): AsyncGenerator<ImportRow> {
  let row = 0;
  for (const line of ndjsonLines(file)) {
    row += 1;
    if (row % LINES_AT_ONCE === 0) await nextIteration();
    yield isObject(line) ? { row, json: line } : { row, refusal: { reason: 'The line is not a JSON object' } };
  }
}

function isObject(line: string): boolean {
  try {
    return isExactObject(parseExactJson(line, 'The line'));
  } catch {
    return false;
  }
}
