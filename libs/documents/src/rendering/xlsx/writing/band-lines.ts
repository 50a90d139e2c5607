import { isInside } from '../cells/area.ts';
import type { BandRange, CellTemplate, Hint, RowTemplate, XlsxTemplate } from '../template/xlsx-template.ts';

/** One row of a band's range. */
export interface BandLine {
  readonly row: RowTemplate | undefined;
  /** In the order of their columns. */
  readonly cells: readonly LineCell[];
  /** Whether the row is as high as its texts need. */
  readonly hasAutoHeight: boolean;
  readonly hasBreak: boolean;
}

export interface LineCell {
  readonly column: number;
  readonly template: CellTemplate;
  /** Fields whose values name the style of the cell. */
  readonly styleFields: readonly string[];
}

/** By the position of the row in the range, from 0; empty rows are left out. */
export type BandLines = ReadonlyMap<number, BandLine>;

const known = new WeakMap<BandRange, BandLines>();

/** Returns the rows of a band's range; computed once per template. */
export function linesOf(template: XlsxTemplate, range: BandRange): BandLines {
  const lines = known.get(range) ?? readLines(template, range);
  known.set(range, lines);
  return lines;
}

function readLines({ hints }: XlsxTemplate, { sheet, area, rows }: BandRange): BandLines {
  const lines = new Map<number, BandLine>();
  for (const number of rows) {
    const row = sheet.rows.get(number);
    const cells = [...(row?.cells ?? [])]
      .filter(([column]) => column >= area.left && column <= area.right)
      .sort(([one], [other]) => one - other)
      .map(([column, template]) => ({
        column,
        template,
        styleFields: hints
          .filter((hint) => hint.kind === 'style' && covers(hint, sheet, number, column))
          .map(({ field }) => field),
      }));
    const hasAutoHeight = hints.some(
      (hint) =>
        hint.kind === 'rowAutoHeight' && hint.sheet === sheet && hint.area.top <= number && number <= hint.area.bottom,
    );
    lines.set(number - area.top, { row, cells, hasAutoHeight, hasBreak: sheet.breaks.has(number) });
  }
  return lines;
}

const covers = (hint: Hint, sheet: BandRange['sheet'], row: number, column: number): boolean =>
  hint.sheet === sheet && isInside({ top: row, bottom: row, left: column, right: column }, hint.area);
