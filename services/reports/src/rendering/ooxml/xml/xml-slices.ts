import { OoxmlError } from '../ooxml-package.ts';

/** A slice takes some ten milliseconds. */
const SLICE_ELEMENTS = 500;
const SLICE_CHARACTERS = 16 * 1024;
/** A slice that cannot end because its open tags are large may be so many times as long. */
const MAX_SLICE_FACTOR = 4;
/** Maximum length of one text, comment or tag, which are never split. A cell of Excel has up to 32,767 characters. */
export const MAX_TOKEN_CHARACTERS = 1024 * 1024;
/** Maximum length of all open start tags together: every slice repeats them. */
export const MAX_OPEN_CHARACTERS = 32 * 1024;

/** Maximum depth of elements; every slice repeats the open ones. */
export const MAX_DEPTH = 500;
/** Maximum number of attributes of one tag; the parser compares each with each. Word declares some 35 namespaces. */
export const MAX_ATTRIBUTES = 256;

/** The text from one tag to another, and the elements that are open at its end. */
export interface Slice {
  readonly begin: number;
  readonly end: number;
  readonly open: readonly StartTag[];
}

export interface StartTag {
  readonly name: string;
  readonly text: string;
}

/**
 * Splits the text of a part after tags. The parser of the slices finds all other errors of well-formedness.
 *
 * @throws OoxmlError for end tags that do not match the open elements, and for tokens beyond the limits
 */
export function* slicesOf(text: string, partName: string): Generator<Slice> {
  const open: StartTag[] = [];
  let openCharacters = 0;
  let begin = 0;
  let elements = 0;
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at, partName);
    if (end - at > MAX_TOKEN_CHARACTERS)
      throw new OoxmlError(`${partName} has a text or tag of more than ${MAX_TOKEN_CHARACTERS} characters`);
    const tag = text[at] === '<' ? tagOf(text, at, end) : undefined;
    at = end;
    if (tag === undefined) continue;
    if (tag.isEnd) {
      if (open.at(-1)?.name !== tag.name) throw new OoxmlError(`${partName} is not well-formed: </${tag.name}>`);
      openCharacters -= open.pop()?.text.length ?? 0;
    } else {
      elements += 1;
      if (!tag.isEmpty) open.push(tag);
      if (!tag.isEmpty) openCharacters += tag.text.length;
      if (open.length > MAX_DEPTH)
        throw new OoxmlError(`${partName} has more than ${MAX_DEPTH} elements in each other`);
    }
    const slices = Math.max(elements / SLICE_ELEMENTS, (at - begin) / SLICE_CHARACTERS);
    if (slices < 1 || open.length === 0) continue;
    if (openCharacters > MAX_OPEN_CHARACTERS && slices < MAX_SLICE_FACTOR) continue;
    if (openCharacters > MAX_OPEN_CHARACTERS)
      throw new OoxmlError(`${partName} has start tags of more than ${MAX_OPEN_CHARACTERS} characters in each other`);
    yield { begin, end: at, open: [...open] };
    begin = at;
    elements = 0;
  }
  yield { begin, end: text.length, open: [] };
}

/** Returns the end of a text, a tag, a comment, a section or an instruction. */
function endOfToken(text: string, at: number, partName: string): number {
  if (text[at] !== '<') return endAt(text, '<', at, 0);
  if (text.startsWith('<!--', at)) return endAt(text, '-->', at + 4, 3);
  if (text.startsWith('<![CDATA[', at)) return endAt(text, ']]>', at + 9, 3);
  if (text.startsWith('<?', at)) return endAt(text, '?>', at + 2, 2);
  let attributes = 0;
  for (let end = at + 1; end < text.length; end += 1) {
    const character = text[end];
    if (character === '>') return end + 1;
    if (character !== '"' && character !== "'") continue;
    end = endAt(text, character, end + 1, 0);
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES)
      throw new OoxmlError(`${partName} has a tag of more than ${MAX_ATTRIBUTES} attributes`);
  }
  return text.length;
}

function endAt(text: string, sought: string, from: number, length: number): number {
  const found = text.indexOf(sought, from);
  return found < 0 ? text.length : found + length;
}

function tagOf(text: string, at: number, end: number) {
  if (text[at + 1] === '!' || text[at + 1] === '?') return undefined;
  const isEnd = text[at + 1] === '/';
  const tag = text.slice(at, end);
  const name = /^<\/?([^\s/>]*)/.exec(tag)?.[1] ?? '';
  return { name, text: tag, isEnd, isEmpty: tag.endsWith('/>') };
}
