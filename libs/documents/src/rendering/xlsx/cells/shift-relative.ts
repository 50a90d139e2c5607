import type { Offset } from './area.ts';
import { type FormulaToken, type ReferenceEnd, referenceText } from './formula-tokens.ts';

/**
 * Shifts the relative references of a formula, as filling cells down or to the right does; references with `$` stay.
 */
export const shiftRelative = (tokens: readonly FormulaToken[], offset: Offset): string =>
  tokens
    .map((token) =>
      token.kind === 'reference'
        ? referenceText(token.sheet, shiftEnd(token.first, offset), token.last && shiftEnd(token.last, offset))
        : token.text,
    )
    .join('');

const shiftEnd = (end: ReferenceEnd, { rows, columns }: Offset): ReferenceEnd => ({
  ...end,
  ...(end.column !== undefined && !end.isColumnFixed ? { column: end.column + columns } : {}),
  ...(end.row !== undefined && !end.isRowFixed ? { row: end.row + rows } : {}),
});
