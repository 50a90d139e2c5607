import { isExactObject, parseExactJson } from '@lintel/query';
import type { ExportFormat } from '@lintel/reading';
import type { Cells } from './cells.ts';
import { csvRows, delimiterOf, type FileBytes, ndjsonLines, textOf } from './csv-rows.ts';
import type { FindNames, NamedIds } from './find-names.ts';
import { createFormFinder, type LocalForms } from './local-forms.ts';
import { type ColumnNames, type ImportColumn, type MappedColumns, mapColumns, noAttribute } from './map-columns.ts';
import { CellError, type CellForm, rowJson, textOfCell } from './row-json.ts';
import type { ImportRow } from './run-import.ts';
import { tableError } from './table-error.ts';
import { openWorkbook } from './workbook-rows.ts';

/** The columns of a file, and its rows. */
export interface ReadImport extends MappedColumns {
  /** How numbers and dates are written, where cells show it or parameters name it. */
  readonly forms: LocalForms;
  readonly rows: AsyncIterable<ImportRow>;
  /** Number of the rows. */
  readonly count: number;
}

/** The form of a file. */
export interface FileForm extends LocalForms {
  readonly format: ExportFormat;
  /** Encoding of a text; found without it. */
  readonly charset: string | undefined;
  /** Found without it. */
  readonly delimiter: string | undefined;
  readonly columns: ColumnNames['given'];
  readonly skipsEmpty: boolean;
}

/** A table that can be read several times. */
export interface Table extends Pick<CellForm, 'isCalendarOf1904'> {
  rows(): AsyncIterable<Cells>;
}

/**
 * Maps the columns, and reads the file once to its end, so that a broken file is refused before its first row is
 * imported.
 */
export async function readImport(
  file: FileBytes,
  { format, charset, skipsEmpty, columns: given, delimiter, decimal, dateOrder }: FileForm,
  names: Omit<ColumnNames, 'given'>,
  find: FindNames,
): Promise<ReadImport> {
  const text = (): AsyncIterable<string> => textOf(file, charset);
  let count = 0;
  if (format === 'ndjson') {
    for await (const _ of ndjsonLines(text())) count += 1;
    return { columns: [], mistake: undefined, forms: {}, rows: jsonRows(text()), count };
  }
  const table = format === 'csv' ? await csvTable(text, delimiter) : await openWorkbook(file);
  let mapped: MappedColumns | undefined;
  let unnamed: string | undefined;
  const finder = createFormFinder({ decimal, dateOrder });
  for await (const cells of table.rows()) {
    for (const [at, column] of (mapped?.columns ?? []).entries()) {
      const cell = cells[at];
      // A workbook has numbers as such, in the form of the API.
      if (typeof cell === 'string' && format === 'csv') finder.look(column, cell);
      // Programs write columns without names and values after the others.
      if (column.column === '' && column.path === null && given[''] !== null && (cell ?? '') !== '')
        unnamed ??= noAttribute(at, '', names.entity);
    }
    if (mapped === undefined) mapped = mapColumns(cells, { ...names, given });
    else count += 1;
  }
  if (mapped === undefined)
    throw tableError(format === 'csv' ? 'The file has no header' : 'The first sheet of the workbook is empty');
  const { columns } = mapped;
  const { forms, mistake } = finder.found();
  return {
    columns,
    forms,
    count,
    mistake: mapped.mistake ?? unnamed ?? mistake,
    rows: tableRows(table, columns, find, { skipsEmpty, isCalendarOf1904: table.isCalendarOf1904, ...forms }),
  };
}

async function csvTable(text: () => AsyncIterable<string>, given: string | undefined): Promise<Table> {
  const delimiter = given ?? (await delimiterOf(text()));
  return { rows: () => csvRows(text(), delimiter) };
}

/** Rows whose names are looked up together, and their characters. */
const NAMED_ROWS = 200;
const NAMED_CHARACTERS = 131_072;

async function* tableRows(
  table: Table,
  columns: readonly ImportColumn[],
  find: FindNames,
  form: CellForm,
): AsyncGenerator<ImportRow> {
  const named = columns.flatMap(({ named: target }, at) => (target === undefined ? [] : [{ at, target }]));
  let row = -1;
  let waiting: Cells[] = [];
  let characters = 0;
  async function* shaped(): AsyncGenerator<ImportRow> {
    const ids = new Map<ImportColumn, NamedIds>();
    for (const { at, target } of named) {
      const texts = waiting.map((cells) => cells[at]).filter((cell) => typeof cell === 'string');
      const names = new Set(texts.map((cell) => textOfCell(cell, form)));
      if (names.size > 0) ids.set(columns[at] as ImportColumn, await find(target, [...names]));
    }
    const first = row - waiting.length + 1;
    for (const [at, cells] of waiting.entries()) yield rowOf(first + at, cells, columns, { ...form, ids });
    waiting = [];
    characters = 0;
  }
  for await (const cells of table.rows()) {
    row += 1;
    if (row === 0) continue;
    if (named.length === 0) {
      yield rowOf(row, cells, columns, form);
      continue;
    }
    waiting.push(cells);
    characters += cells.reduce((sum, cell) => sum + String(cell).length, 0);
    if (waiting.length === NAMED_ROWS || characters > NAMED_CHARACTERS) yield* shaped();
  }
  yield* shaped();
}

function rowOf(row: number, cells: Cells, columns: readonly ImportColumn[], form: CellForm): ImportRow {
  // A workbook does not store empty cells at the end of a row.
  const isShort = form.isCalendarOf1904 !== undefined && cells.length < columns.length;
  if (cells.length !== columns.length && !isShort)
    return { row, refusal: { reason: `The row has ${cells.length} cells, the header has ${columns.length}` } };
  try {
    return { row, json: rowJson(columns, cells, form) };
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    const { column, path } = error.column;
    return { row, refusal: { column, attribute: path?.join('.') ?? '', reason: error.message } };
  }
}

async function* jsonRows(text: AsyncIterable<string>): AsyncGenerator<ImportRow> {
  let row = 0;
  for await (const line of ndjsonLines(text)) {
    row += 1;
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
