import { nextIteration } from '@lintel/timing';

/** Elements whose targets only the reader of the document opens, by a click. */
const LINKS: ReadonlySet<string> = new Set(['hyperlink', 'hlinkClick', 'hlinkHover', 'hlinkMouseOver']);
/** Ids that programs write. */
const ID = /^[\w.-]+$/;
/** An attribute of a namespace that may refer to a relationship. */
const REFERENCE = /:\w+\s*=\s*["']\s*([\w.-]+)\s*["']/g;
/** Attributes that are read in some ten milliseconds. */
const SLICE = 20_000;

/**
 * Those of some ids of relationships that nothing but links refers to. Programs find the target of a picture or of an
 * object by the id alone, whatever the type of the relationship is.
 *
 * @param text of the part that the relationships belong to
 */
export async function linkedIds(text: string, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const linked = new Set([...ids].filter((id) => ID.test(id)));
  if (linked.size === 0) return linked;
  const plain = withPlainIds(text);
  let read = 0;
  for (const { 1: id = '', index } of plain.matchAll(REFERENCE)) {
    read += 1;
    if (read % SLICE === 0) await nextIteration();
    // No attribute contains this character, so the tag begins at the last one.
    if (linked.has(id) && !LINKS.has(nameOfTag(plain, plain.lastIndexOf('<', index)))) linked.delete(id);
  }
  return linked;
}

const nameOfTag = (text: string, at: number): string =>
  /^<(?:[^\s:/>]+:)?([^\s:/>]+)/.exec(text.slice(at, at + 100))?.[1] ?? '';

/** The same text with the characters of ids instead of references to them (`&#114;Id1`). */
const withPlainIds = (text: string): string =>
  text.includes('&#')
    ? text.replace(/&#(?:x0*([\da-f]{1,2})|0*(\d{1,3}));/gi, (whole, hex, decimal) => {
        const character = String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
        return ID.test(character) ? character : whole;
      })
    : text;
