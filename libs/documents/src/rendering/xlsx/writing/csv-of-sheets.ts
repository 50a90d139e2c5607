import type { Layout } from '../placing/layout.ts';
import { firstColumnOf, type RowContext, rowTexts } from './result-rows.ts';

/** Lines of one piece of output. */
const BATCH_LINES = 500;

/**
 * Writes the values of all sheets as CSV, one sheet after the other: every cell quoted, separated by `;`, without empty
 * rows. Formulas are empty, constants of the template are as the workbook stores them.
 */
export async function* csvOfSheets(layout: Layout, context: RowContext, signal: AbortSignal): AsyncGenerator<string> {
  let lines: string[] = [];
  for (const sheet of layout.template.sheets) {
    const firstColumn = firstColumnOf(sheet, context);
    for (let row = 1; row <= layout.usedRows(sheet); row += 1) {
      const placements = layout.placementsIn(sheet, row);
      if (placements.length === 0) continue;
      signal.throwIfAborted();
      const texts = rowTexts(row, placements, firstColumn, context);
      if (texts === undefined) continue;
      lines.push(`${texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(';')}\n`);
      if (lines.length < BATCH_LINES) continue;
      yield lines.join('');
      lines = [];
    }
  }
  if (lines.length > 0) yield lines.join('');
}
