import type { XmlElement } from './xml-elements.ts';

/** The text of an element, with the position of each character in the file. */
export interface XmlText {
  readonly text: string;
  /** Line and column in the file of a position in the text; all count from 1. */
  positionOf(line: number, column: number): FilePosition;
}

export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

/** Line and column of an offset, from 1. */
export function positionAt(source: string, offset: number): FilePosition {
  const before = source.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

const PIECE = /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<[^>]*>|&(#x[0-9a-f]+|#\d+|[a-z]+);/gi;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The text inside an element without elements; unchanged in CDATA sections, otherwise with its references replaced. */
export function textOf(source: string, element: XmlElement): XmlText {
  const raw = source.slice(element.start, element.end);
  const opening = /^<(?:[^>"']|"[^"]*"|'[^']*')*>/.exec(raw)?.[0] ?? '';
  const from = element.start + opening.length;
  const closing = raw.lastIndexOf('</');
  const inner = opening.endsWith('/>') || closing < 0 ? '' : raw.slice(opening.length, closing);
  let text = '';
  const pieces: { readonly at: number; readonly offset: number }[] = [];
  const add = (piece: string, offset: number): void => {
    pieces.push({ at: text.length, offset: from + offset });
    text += piece;
  };
  let done = 0;
  for (const match of inner.matchAll(PIECE)) {
    const [whole, data, reference] = match;
    add(inner.slice(done, match.index), done);
    if (data !== undefined) add(data, match.index + '<![CDATA['.length);
    else if (reference !== undefined) add(characterOf(reference), match.index);
    done = match.index + whole.length;
  }
  add(inner.slice(done), done);
  return {
    text,
    positionOf: (line, column) => {
      const lines = text.split('\n').slice(0, line - 1);
      const at = lines.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
      const piece = pieces.findLast((one) => one.at <= at) ?? { at: 0, offset: from };
      return positionAt(source, piece.offset + at - piece.at);
    },
  };
}

function characterOf(reference: string): string {
  const name = reference.toLowerCase();
  if (!name.startsWith('#')) return ENTITIES[name] ?? `&${reference};`;
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
