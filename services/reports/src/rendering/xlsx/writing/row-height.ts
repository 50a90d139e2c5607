import type { BandRange, SheetTemplate } from '../template/xlsx-template.ts';

/** In characters of the standard font (ECMA-376-1, 18.3.1.81). */
const STANDARD_WIDTH = 8.43;
/** What a row can have at most, in points. */
const MOST_POINTS = 409;
const STANDARD_SIZE = 11;

/**
 * The height that a text needs in its column, or in the columns it is merged over, in points; an estimate by the
 * number of characters, as nothing here measures fonts.
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
  return Math.min(MOST_POINTS, Math.round(lines * fontSize * 1.36 * 100) / 100);
}

/** Lines break between words; a word that is longer than a line is cut. */
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
