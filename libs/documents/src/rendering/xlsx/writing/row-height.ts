import type { BandRange, SheetTemplate } from '../template/xlsx-template.ts';

/** In characters of the standard font (ECMA-376-1, 18.3.1.81). */
const STANDARD_WIDTH = 8.43;
/** Maximum height of a row in points. */
const MAX_POINTS = 409;
const STANDARD_SIZE = 11;

/**
 * Estimates the height in points of a text in its column, or in the columns over which it is merged, by the number of
 * characters: fonts are not measured.
 *
 * @param column of the cell in the template
 * @returns undefined for a cell that is merged over several rows
 */
export function heightOf(
  text: string,
  column: number,
  { sheet, area }: BandRange,
  fontSize: number,
): number | undefined {
  const merge = sheet.merges.find(
    ({ left, right, top, bottom }) => left <= column && column <= right && top <= area.bottom && area.top <= bottom,
  );
  if (merge !== undefined && merge.top !== merge.bottom) return undefined;
  let width = 0;
  for (let at = merge?.left ?? column; at <= (merge?.right ?? column); at += 1) width += widthOf(sheet, at);
  const characters = Math.max(1, Math.floor((width * STANDARD_SIZE) / fontSize));
  const lines = text.split('\n').reduce((sum, line) => sum + linesIn(line, characters), 0);
  return Math.min(MAX_POINTS, Math.round(lines * fontSize * 1.36 * 100) / 100);
}

/** Lines break between words; a word that is longer than a line is split. */
function linesIn(text: string, characters: number): number {
  let lines = 1;
  let used = 0;
  for (const { length } of text.split(' ')) {
    if (used > 0 && used + 1 + length > characters) {
      lines += 1;
      used = 0;
    }
    used += (used > 0 ? 1 : 0) + length;
    if (used > characters) {
      lines += Math.ceil(used / characters) - 1;
      used = ((used - 1) % characters) + 1;
    }
  }
  return lines;
}

const widthOf = ({ columns }: SheetTemplate, column: number): number =>
  columns.find(({ first, last }) => first <= column && column <= last)?.width ?? STANDARD_WIDTH;
