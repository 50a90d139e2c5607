/** The position of a cell, from row 1 and column 1. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** A rectangle of cells, ends included. */
export interface Area {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** A distance in rows and columns. */
export interface Offset {
  readonly rows: number;
  readonly columns: number;
}

/** Maximum size of a sheet (ECMA-376; the limits of Excel 2007 and later). */
export const MAX_ROWS = 1_048_576;
export const MAX_COLUMNS = 16_384;

export const isInside = (inner: Area, outer: Area): boolean =>
  inner.top >= outer.top && inner.bottom <= outer.bottom && inner.left >= outer.left && inner.right <= outer.right;

/** The common cells of two areas. */
export function intersection(one: Area, other: Area): Area | undefined {
  const area = {
    top: Math.max(one.top, other.top),
    left: Math.max(one.left, other.left),
    bottom: Math.min(one.bottom, other.bottom),
    right: Math.min(one.right, other.right),
  };
  return area.top <= area.bottom && area.left <= area.right ? area : undefined;
}

/** The smallest area that contains all of them. */
export const around = (first: Area, ...others: readonly Area[]): Area =>
  others.reduce(
    (one, other) => ({
      top: Math.min(one.top, other.top),
      left: Math.min(one.left, other.left),
      bottom: Math.max(one.bottom, other.bottom),
      right: Math.max(one.right, other.right),
    }),
    first,
  );

export const moved = (area: Area, { rows, columns }: Offset): Area => ({
  top: area.top + rows,
  left: area.left + columns,
  bottom: area.bottom + rows,
  right: area.right + columns,
});

const isOneCell = (area: Area): boolean => area.top === area.bottom && area.left === area.right;
export const sharesRows = (one: Area, other: Area): boolean => one.top <= other.bottom && other.top <= one.bottom;

/** `A` → 1, `XFD` → 16384. */
export function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

const NAMES: string[] = [''];

/** 1 → `A`, 16384 → `XFD`. */
export function columnName(column: number): string {
  const known = NAMES[column];
  if (known !== undefined) return known;
  let name = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  NAMES[column] = name;
  return name;
}

/** Parses an area as attributes of sheets have it: `B7`, `A1:C3`; undefined for anything else. */
export function parseArea(text: string): Area | undefined {
  const match = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})(?::\$?([A-Za-z]{1,3})\$?(\d{1,7}))?$/.exec(text);
  if (match === null) return undefined;
  const [, column = '', row = '', lastColumn = column, lastRow = row] = match;
  const [one, other] = [columnNumber(column), columnNumber(lastColumn)];
  const [first, last] = [Number(row), Number(lastRow)];
  return {
    top: Math.min(first, last),
    left: Math.min(one, other),
    bottom: Math.max(first, last),
    right: Math.max(one, other),
  };
}

/** `B7`, `A1:C3` */
export const areaText = (area: Area): string =>
  isOneCell(area)
    ? `${columnName(area.left)}${area.top}`
    : `${columnName(area.left)}${area.top}:${columnName(area.right)}${area.bottom}`;
