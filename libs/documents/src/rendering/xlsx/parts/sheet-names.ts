import type { SheetTemplate } from '../template/xlsx-template.ts';
import { fillText } from '../writing/cell-value.ts';

/** Maximum length of the name of a sheet. */
const MAX_CHARACTERS = 31;

/** Returns the names of the sheets in the result: with aliases `${Band.field}` filled, sanitized and unique. */
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

/** Also an apostrophe at either end and the name `History` are not allowed. */
function sanitized(name: string): string {
  const plain = name
    .replace(/[\\/?*[\]:\p{C}]/gu, '_')
    .slice(0, MAX_CHARACTERS)
    .toWellFormed()
    .trim()
    .replace(/^'|'$/g, '_');
  return plain === '' || plain.toLowerCase() === 'history' ? `Sheet ${plain}`.trim() : plain;
}

function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name.toLowerCase())) return name;
  for (let number = 2; ; number += 1) {
    const end = ` (${number})`;
    const next = name.slice(0, MAX_CHARACTERS - end.length) + end;
    if (!taken.has(next.toLowerCase())) return next;
  }
}
