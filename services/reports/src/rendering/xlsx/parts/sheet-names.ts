import type { SheetTemplate } from '../template/xlsx-template.ts';
import { fillText } from '../writing/cell-value.ts';

/** What a sheet's name can have at most. */
const MOST_CHARACTERS = 31;

/** Names of the sheets in the result: aliases `${Band.field}` filled, then made fit for a sheet, each once. */
export function sheetNamesOf(
  sheets: readonly SheetTemplate[],
  textOf: (band: string, field: string) => string | undefined,
): readonly string[] {
  const taken = new Set<string>();
  return sheets.map(({ name }) => {
    const filled = fillText(name, (path) => {
      const dot = path.indexOf('.');
      return dot < 0 ? '' : (textOf(path.slice(0, dot), path.slice(dot + 1)) ?? '');
    });
    const unique = uniqueName(filled === name ? name : sanitized(filled), taken);
    taken.add(unique.toLowerCase());
    return unique;
  });
}

/** An apostrophe at either end, and `History`, are not allowed as well. */
function sanitized(name: string): string {
  const plain = name
    .replace(/[\\/?*[\]:\p{C}]/gu, '_')
    .slice(0, MOST_CHARACTERS)
    .toWellFormed()
    .trim()
    .replace(/^'|'$/g, '_');
  return plain === '' || plain.toLowerCase() === 'history' ? `Sheet ${plain}`.trim() : plain;
}

function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name.toLowerCase())) return name;
  for (let number = 2; ; number += 1) {
    const end = ` (${number})`;
    const next = name.slice(0, MOST_CHARACTERS - end.length) + end;
    if (!taken.has(next.toLowerCase())) return next;
  }
}
