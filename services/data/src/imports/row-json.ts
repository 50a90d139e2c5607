import { isoOfSerial } from '@lintel/documents/tables';
import { isPlatformError, shortened } from '@lintel/errors';
import { parseExactJson } from '@lintel/query';
import type { Cells } from './cells.ts';
import type { NamedIds } from './find-names.ts';
import { exactCell, type LocalForms } from './local-forms.ts';
import type { ImportColumn } from './map-columns.ts';

/** A cell that cannot be read. */
export class CellError extends Error {
  readonly column: ImportColumn;

  constructor(column: ImportColumn, reason: string) {
    super(reason);
    this.column = column;
  }
}

type Members = { [name: string]: unknown };

/** Begins a text that an export has marked as text (contract/exports.md#csv). */
const MARKED = /^'+[=+\-@＝＋－＠\t\r\n]/;

/** The meaning of cells. */
export interface CellForm extends LocalForms {
  /** Leaves out the attributes of empty cells, instead of null. */
  readonly skipsEmpty: boolean;
  /** The ids of instances by their names, of columns with names. */
  readonly ids?: ReadonlyMap<ImportColumn, NamedIds>;
  /** The calendar of a workbook; undefined for texts of CSV, which may be marked as texts. */
  readonly isCalendarOf1904?: boolean | undefined;
}

/**
 * The JSON of a row.
 *
 * @throws CellError
 */
export function rowJson(columns: readonly ImportColumn[], cells: Cells, form: CellForm): string {
  const members: Members = {};
  for (const [at, column] of columns.entries()) {
    const cell = cells[at] ?? null;
    if (column.path === null || (cell === null && form.skipsEmpty)) continue;
    set(members, column.path, cell === null ? null : cellValue(column, cell, form));
  }
  return JSON.stringify(withoutEmptyObjects(members));
}

function set(members: Members, path: readonly string[], value: unknown): void {
  const [name = '', ...below] = path;
  if (below.length === 0) members[name] = value;
  else {
    members[name] ??= Object.create(null);
    set(members[name] as Members, below, value);
  }
}

function cellValue(column: ImportColumn, cell: NonNullable<Cells[number]>, form: CellForm): unknown {
  const { isCalendarOf1904 } = form;
  if (typeof cell === 'object') {
    if ('error' in cell) throw new CellError(column, `The cell has ${cell.error}`);
    return dateOf(column, cell.serial, isCalendarOf1904 === true);
  }
  if (column.named !== undefined) return idOf(column, textOfCell(cell, form), form);
  if (column.kind === 'plain') return exactCell(column, cell, form);
  if (column.constants !== undefined) return column.constants.get(cell.trim().toLowerCase()) ?? cell;
  if (column.kind === 'text') return textOfCell(cell, form);
  try {
    return parseExactJson(cell, 'The cell');
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    throw new CellError(column, error.details);
  }
}

/** The text of a cell without the mark of an export. */
export const textOfCell = (cell: string, { isCalendarOf1904 }: Pick<CellForm, 'isCalendarOf1904'>): string =>
  isCalendarOf1904 === undefined && MARKED.test(cell) ? cell.slice(1) : cell;

function idOf(column: ImportColumn, name: string, { ids }: CellForm): unknown {
  const [id, other] = ids?.get(column)?.get(name) ?? [];
  if (id === undefined) throw new CellError(column, `There is no instance with the name '${shortened(name)}'`);
  if (other !== undefined) throw new CellError(column, `Several instances have the name '${shortened(name)}'`);
  return id;
}

/** A date, a time or both, as the number has them; a whole day of an attribute with a time begins at midnight. */
function dateOf(column: ImportColumn, serial: number, isCalendarOf1904: boolean): string {
  // In the calendar of 1904 a number below 1 is its first day, too.
  const iso = isoOfSerial(serial, isCalendarOf1904 && !(column.temporal === 'time' && serial < 1));
  if (iso === undefined) throw new CellError(column, 'The cell has a date that its calendar does not have');
  if (column.temporal === 'dateTime' && !iso.includes(':')) return `${iso}T00:00:00`;
  return iso;
}

/** A reference or an embedded object whose cells are all empty is null; a reference without an id has its key alone. */
function withoutEmptyObjects(members: Members): Members {
  for (const [name, value] of Object.entries(members)) {
    if (!isMembers(value)) continue;
    const below = withoutEmptyObjects(value);
    if (Object.values(below).every((each) => each === null)) members[name] = null;
    else if (below['id'] === null) delete below['id'];
    else if (below['id'] !== undefined) members[name] = { id: below['id'] };
  }
  return members;
}

/** Objects of the JSON of a cell, which stay as they are, have the usual prototype. */
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null;
