import { isPlatformError } from '@lintel/errors';
import { parseExactJson } from '@lintel/query';
import type { Cells } from './csv-rows.ts';
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

/**
 * The JSON of a row.
 *
 * @param skipsEmpty leaves out the attributes of empty cells, instead of null
 * @throws CellError
 */
export function rowJson(columns: readonly ImportColumn[], cells: Cells, skipsEmpty: boolean): string {
  const members: Members = {};
  for (const [at, column] of columns.entries()) {
    const cell = cells[at] ?? null;
    if (column.path === null || (cell === null && skipsEmpty)) continue;
    set(members, column.path, cell === null ? null : cellValue(column, cell));
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

function cellValue(column: ImportColumn, cell: string): unknown {
  if (column.kind === 'plain') return cell.trim();
  if (column.kind === 'text') return MARKED.test(cell) ? cell.slice(1) : cell;
  try {
    return parseExactJson(cell, 'The cell');
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    throw new CellError(column, error.details);
  }
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
