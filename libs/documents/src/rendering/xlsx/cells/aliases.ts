/** `${field}` or `${field[3]}` (contract/report-templates.md#marks). */
export interface Alias {
  readonly field: string;
  /** Index of one character of the text, from 0; undefined for the whole text. */
  readonly index: number | undefined;
}

const ALIAS = /\$\{\s*([\p{L}\p{N}_.]+)\s*(?:\[(\d{1,4})\])?\s*\}/gu;

/** A text, split into its aliases and the texts between them. */
export type TextPieces = readonly (string | Alias)[];

/** Splits a text at its aliases; a text without aliases is one piece. */
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

/** Returns the alias, where the text is one alias only. */
export function onlyAlias(pieces: TextPieces): Alias | undefined {
  const [piece] = pieces;
  return pieces.length === 1 && typeof piece === 'object' ? piece : undefined;
}

export const hasAlias = (pieces: TextPieces): boolean => pieces.some((piece) => typeof piece === 'object');
