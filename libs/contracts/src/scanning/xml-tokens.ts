/** A part of an XML text; a tag has the number of its attributes. */
export interface XmlToken {
  readonly kind: 'text' | 'comment' | 'cdata' | 'instruction' | 'declaration' | 'start' | 'empty' | 'end';
  readonly begin: number;
  readonly end: number;
  readonly attributes: number;
}

/**
 * Splits an XML text without parsing it, in time that is linear in its length. The parser that follows finds errors of
 * well-formedness: a token that has no end extends to the end of the text.
 */
export function* xmlTokensOf(text: string): Generator<XmlToken> {
  for (let begin = 0; begin < text.length; ) {
    const token = tokenAt(text, begin);
    yield token;
    begin = token.end;
  }
}

/** Tokens that end with a text of their own, by how they begin; the first that matches counts. */
const SECTIONS = [
  ['<!--', '-->', 'comment'],
  ['<![CDATA[', ']]>', 'cdata'],
  ['<?', '?>', 'instruction'],
  ['<!', '>', 'declaration'],
] as const;

function tokenAt(text: string, begin: number): XmlToken {
  if (text[begin] !== '<') return { kind: 'text', begin, end: endAt(text, '<', begin, 0), attributes: 0 };
  for (const [first, last, kind] of SECTIONS)
    if (text.startsWith(first, begin))
      return { kind, begin, end: endAt(text, last, begin + first.length, last.length), attributes: 0 };
  return tagAt(text, begin);
}

/** A tag ends before another `<`, which no tag may contain: so a scan and a parser cannot disagree about the tags. */
function tagAt(text: string, begin: number): XmlToken {
  let attributes = 0;
  let quote = '';
  let end = begin + 1;
  for (; end < text.length; end += 1) {
    const character = text.charAt(end);
    if (character === '<' || (character === '>' && quote === '')) break;
    if (character !== '"' && character !== "'") continue;
    if (quote === '') {
      quote = character;
      attributes += 1;
    } else if (quote === character) quote = '';
  }
  const kind = text[begin + 1] === '/' ? 'end' : text[end - 1] === '/' ? 'empty' : 'start';
  return { kind, begin, end: text[end] === '>' ? end + 1 : end, attributes };
}

function endAt(text: string, sought: string, from: number, length: number): number {
  const found = text.indexOf(sought, from);
  return found < 0 ? text.length : found + length;
}
