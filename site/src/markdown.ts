/** A link of a page: what is between the parentheses, with its position in the text. */
export interface PageLink {
  readonly target: string;
  readonly start: number;
  readonly end: number;
}

const FENCE = /^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^\1\2[^\n]*$/gm;
const INLINE_CODE = /(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g;
const COMMENT = /<!--[\s\S]*?-->/g;
const LINK = /\]\(([^)\s]+)\)/g;
const HEADING = /^#{1,6} +(.+?) *#* *$/gm;
const EXPLICIT_ANCHOR = /<a id="([^"]+)">/g;

/** The text with spaces instead of code and comments: every other character keeps its position. */
export const withoutCode = (text: string): string =>
  [FENCE, COMMENT, INLINE_CODE].reduce((rest, form) => rest.replace(form, (code) => code.replace(/[^\n]/g, ' ')), text);

/** All links and images of a page, in their order. */
export const linksOf = (text: string): readonly PageLink[] =>
  [...withoutCode(text).matchAll(LINK)].map(({ 1: target = '', index }) => ({
    target,
    start: index + 2,
    end: index + 2 + target.length,
  }));

/** The anchor of a heading, as GitHub makes it. The site makes the same ones, so that a link is right in both. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');

/** Every anchor of a page: those of headings, numbered where they repeat, and explicit ones. */
export function anchorsIn(text: string): ReadonlySet<string> {
  const outside = text.replace(FENCE, (code) => code.replace(/[^\n]/g, ' '));
  const anchors = new Set([...outside.matchAll(EXPLICIT_ANCHOR)].map(([, id = '']) => id));
  const counts = new Map<string, number>();
  for (const [, heading = ''] of outside.matchAll(HEADING)) {
    const anchor = anchorOf(plainText(heading));
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`);
  }
  return anchors;
}

/** The title of a page: its first heading. */
export function titleOf(text: string): string {
  const [, title] = /^# +(.+)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error('A page of the documentation has no title.');
  return plainText(title);
}

/** The first sentence of a page after its title, without formatting; empty if the page begins with something else. */
export function summaryOf(text: string): string {
  const [, body = ''] =
    /^# +.+\n+(?:<!--[\s\S]*?-->\n+)?(?:<a id="[^"]*"><\/a>\n+)?([^\n#|<`-][^\n]*)/m.exec(text) ?? [];
  const [sentence = ''] = /^.*?(?:\.(?=\s+\p{Lu}|\s*$)|:(?=\s|$))/u.exec(plainText(body)) ?? [];
  return sentence.replace(/:$/, '.');
}

/** Text of a line of Markdown without emphasis, code and links. */
export const plainText = (line: string): string =>
  line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`([^`]*)`/g, '$1')
    .replace(/(\*\*|__)(.+?)\1/g, '$2')
    .replace(/(?<!\w)[*_](.+?)[*_](?!\w)/g, '$1');
