import { xmlTokensOf } from '@lintel/contracts';
import { OoxmlError } from '../ooxml-package.ts';

/** A slice takes some ten milliseconds. */
const SLICE_ELEMENTS = 500;
const SLICE_CHARACTERS = 16 * 1024;
/** A slice that cannot end because its open tags are large may be so many times as long. */
const MAX_SLICE_FACTOR = 4;
/** Maximum length of all open start tags together: every slice repeats them. */
export const MAX_OPEN_CHARACTERS = 32 * 1024;

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
 * @throws OoxmlError for end tags that do not match the open elements, and for start tags beyond the limit
 */
export function* slicesOf(text: string, partName: string): Generator<Slice> {
  const open: StartTag[] = [];
  let openCharacters = 0;
  let begin = 0;
  let elements = 0;
  for (const { kind, begin: from, end: at } of xmlTokensOf(text)) {
    if (kind === 'end') {
      const tag = tagOf(text, from, at);
      if (open.at(-1)?.name !== tag.name) throw new OoxmlError(`${partName} is not well-formed: </${tag.name}>`);
      openCharacters -= open.pop()?.text.length ?? 0;
    } else if (kind === 'start') {
      elements += 1;
      open.push(tagOf(text, from, at));
      openCharacters += at - from;
    } else if (kind === 'empty') elements += 1;
    else continue;
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

function tagOf(text: string, begin: number, end: number): StartTag {
  const tag = text.slice(begin, end);
  return { name: /^<\/?([^\s/>]*)/.exec(tag)?.[1] ?? '', text: tag };
}
