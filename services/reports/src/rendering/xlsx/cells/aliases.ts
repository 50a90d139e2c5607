/** `${field}` or `${field[3]}` (contract/report-templates.md#marks). */
export interface Alias {
  readonly field: string;
  /** Which character of the text is meant, from 0; undefined for all of it. */
  readonly index: number | undefined;
}

const ALIAS = /\$\{\s*([\p{L}\p{N}_.]+)\s*(?:\[(\d{1,4})\])?\s*\}/gu;

/** A text as what stands in it and the aliases between. */
export type TextPieces = readonly (string | Alias)[];

/** Cuts a text at its aliases; a single text where it has none. */
export function piecesOf(text: string): TextPieces {
  const pieces: (string | Alias)[] = [];
  let from = 0;
  for (const match of text.matchAll(ALIAS)) {
    if (match.index > from) pieces.push(text.slice(from, match.index));
    pieces.push({ field: match[1] ?? '', index: match[2] === undefined ? undefined : Number(match[2]) });
    from = match.index + match[0].length;
  }
  if (from < text.length || pieces.length === 0) pieces.push(text.slice(from));
  return pieces;
}

/** The alias that the text is, with nothing around it. */
export function onlyAlias(pieces: TextPieces): Alias | undefined {
  const [piece] = pieces;
  return pieces.length === 1 && typeof piece === 'object' ? piece : undefined;
}

export const hasAlias = (pieces: TextPieces): boolean => pieces.some((piece) => typeof piece === 'object');
