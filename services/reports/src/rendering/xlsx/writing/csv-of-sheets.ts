import type { Layout } from '../placing/layout.ts';
import { firstColumnOf, type RowContext, rowTexts } from './result-rows.ts';

/** Lines handed on at once. */
const BATCH_LINES = 500;

/**
 * The values of all sheets as csv, one sheet behind the other: every cell quoted, separated by `;`, rows without
 * any value left out. Values are as the workbook stores them, so dates are numbers.
 */
export async function* csvOfSheets(layout: Layout, context: RowContext, signal: AbortSignal): AsyncGenerator<string> {
  let lines: string[] = [];
  for (const sheet of layout.template.sheets) {
    const firstColumn = firstColumnOf(sheet, context);
    for (let row = 1; row <= layout.usedRows(sheet); row += 1) {
      signal.throwIfAborted();
      const texts = rowTexts(row, layout.placementsIn(sheet, row), firstColumn, context);
      if (texts === undefined) continue;
      lines.push(`${texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(';')}\n`);
      if (lines.length < BATCH_LINES) continue;
      yield lines.join('');
      lines = [];
    }
  }
  if (lines.length > 0) yield lines.join('');
}
