import { csvLine } from '../../csv/render-csv.ts';
import type { Layout } from '../placing/layout.ts';
import { firstColumnOf, type RowContext, rowTexts } from './result-rows.ts';

/**
 * Writes the values of all sheets as CSV, one sheet after the other: every cell quoted, separated by `;`, without empty
 * rows. Formulas are empty, constants of the template are as the workbook stores them.
 */
export async function* csvOfSheets(layout: Layout, context: RowContext, signal: AbortSignal): AsyncGenerator<string> {
  for (const sheet of layout.template.sheets) {
    const firstColumn = firstColumnOf(sheet, context);
    for (let row = 1; row <= layout.usedRows(sheet); row += 1) {
      const placements = layout.placementsIn(sheet, row);
      if (placements.length === 0) continue;
      signal.throwIfAborted();
      const texts = rowTexts(row, placements, firstColumn, context);
      if (texts !== undefined) yield csvLine(texts, ';');
    }
  }
}
