/** A placeholder in a template: `${name}`, `${Band.field}`, `${name[3]}` (contract/report-templates.md#marks). */
export interface Alias {
  readonly name: string;
  /** Index of one character of the formatted text, from 0; undefined for the whole text. */
  readonly index: number | undefined;
  readonly start: number;
  readonly end: number;
}

const ALIAS = /\$\{\s*([\p{L}\p{N}_.]+)(?:\s*\[(\d{1,9})\])?\s*\}/gu;

export const findAliases = (text: string): readonly Alias[] =>
  [...text.matchAll(ALIAS)].map((found) => ({
    name: found[1] as string,
    index: found[2] === undefined ? undefined : Number(found[2]),
    start: found.index,
    end: found.index + found[0].length,
  }));

/** A text, split into its aliases and the texts between them. */
export type TextPieces = readonly (string | Alias)[];

/** Splits a text at its aliases; a text without aliases is one piece. */
export function piecesOf(text: string): TextPieces {
  const pieces: (string | Alias)[] = [];
  let from = 0;
  for (const alias of findAliases(text)) {
    if (alias.start > from) pieces.push(text.slice(from, alias.start));
    pieces.push(alias);
    from = alias.end;
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

/** Returns the character of a formatted text that an alias asks for, or all of it. */
export const characterOf = (text: string, { index }: Alias): string =>
  index === undefined ? text : ([...text][index] ?? '');
