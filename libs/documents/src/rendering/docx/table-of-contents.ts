import type { Document, Element, Node } from '@xmldom/xmldom';
import type { ElementBudget } from '../ooxml/xml/element-budget.ts';
import { Pauses } from '../ooxml/xml/pauses.ts';
import { childOf, childrenOf, parsePart, rootOf, setChildren } from '../ooxml/xml/xml.ts';
import type { DocxTemplate } from './docx-template.ts';
import { textOfParagraph } from './paragraph-text.ts';
import { ancestorOf, descendantsOf, isWord, textNodes, wordAttribute, wordElement } from './word-xml.ts';

interface Heading {
  readonly paragraph: Element;
  /** From 1. */
  readonly level: number;
  readonly text: string;
}

/** The field of a table of contents: its first and last run, and its instruction. */
interface ContentsField {
  readonly begin: Element;
  readonly end: Element;
  readonly instruction: string;
}

/**
 * Rewrites the entries of tables of contents from the headings of the document (contract/report-templates.md#docx, 5).
 * Page numbers are omitted: only the program that lays the document out knows them.
 *
 * @throws REPORT_RUN_ERROR for more elements than the document may have
 */
export async function refreshTableOfContents(
  document: Document,
  template: DocxTemplate,
  budget: ElementBudget,
): Promise<void> {
  const fields = contentsFields(document);
  if (fields.length === 0) return;
  const styles = stylesOf(template);
  for (const field of fields) {
    const first = ancestorOf(field.begin, 'p');
    const last = ancestorOf(field.end, 'p');
    const parent = first?.parentNode;
    // No known program creates a field whose begin and end have different parents.
    if (first === undefined || last === undefined || parent === null || parent !== last.parentNode) continue;
    const old = siblingsBetween(first, last);
    const headings = headingsOf(document, field.instruction, styles, new Set(old));
    budget.add(headings.length * ELEMENTS_OF_ENTRY);
    const entries = await entriesOf(document, field, headings, styles);
    const removed = new Set(old);
    const children: Node[] = [];
    for (let child = parent?.firstChild ?? null; child !== null; child = child.nextSibling) {
      if (child === first) children.push(...entries);
      if (!removed.has(child)) children.push(child);
    }
    if (parent) setChildren(parent, children);
  }
}

/** Includes the bookmark of the heading. */
const ELEMENTS_OF_ENTRY = 8;

function contentsFields(document: Document): readonly ContentsField[] {
  const found: ContentsField[] = [];
  const open: { begin: Element; instruction: string }[] = [];
  for (const run of descendantsOf(rootOf(document), 'r'))
    for (const child of childrenOf(run)) {
      const kind = isWord(child, 'fldChar') ? wordAttribute(child, 'fldCharType') : undefined;
      const innermost = open.at(-1);
      if (kind === 'begin') open.push({ begin: run, instruction: '' });
      else if (isWord(child, 'instrText') && innermost !== undefined) innermost.instruction += child.textContent ?? '';
      else if (kind === 'end' && innermost !== undefined) {
        open.pop();
        if (isOfHeadings(innermost.instruction)) found.push({ ...innermost, end: run });
      }
    }
  return found;
}

/** Lists of captions, of marked entries and of a part of the document stay as Word has made them. */
const isOfHeadings = (instruction: string): boolean =>
  /^\s*TOC\b/.test(instruction) && !/\\[abcf]\b/i.test(instruction);

function headingsOf(
  document: Document,
  instruction: string,
  styles: Styles,
  excluded: ReadonlySet<Node>,
): readonly Heading[] {
  const range = /\\o\s*"?(\d)\s*-\s*(\d)"?/.exec(instruction);
  const named = levelsByStyle(/\\t\s*"([^"]*)"/.exec(instruction)?.[1] ?? '');
  const [minLevel, maxLevel] = range === null ? [1, named.size > 0 ? 0 : 3] : [Number(range[1]), Number(range[2])];
  const body = childOf(rootOf(document), 'body');
  if (body === undefined) return [];
  return descendantsOf(body, 'p').flatMap((paragraph) => {
    const format = childOf(paragraph, 'pPr');
    const own = format === undefined ? undefined : childOf(format, 'outlineLvl');
    const style = format === undefined ? undefined : wordAttribute(childOf(format, 'pStyle'), 'val');
    const outline = wordAttribute(own, 'val');
    const ofHeading = outline === undefined ? styles.levelOf(style) : Number(outline) + 1;
    const isInRange = ofHeading !== undefined && ofHeading >= minLevel && ofHeading <= maxLevel;
    const level = named.get(styles.nameOf(style)) ?? (isInRange ? ofHeading : undefined);
    const text = textOfParagraph(paragraph).replaceAll('\u0000', ' ').trim();
    return level !== undefined && text !== '' && !excluded.has(paragraph) ? [{ paragraph, level, text }] : [];
  });
}

/** The levels of other styles than headings: `Title,1,Appendix,2`; some languages separate them by semicolons. */
function levelsByStyle(list: string): ReadonlyMap<string, number> {
  const found = [...list.matchAll(/([^,;]+)[,;]\s*(\d)/g)];
  return new Map(found.map(([, name = '', level]) => [name.trim().toLowerCase(), Number(level)]));
}

/** Creates one paragraph per heading; the field begins in the first and ends in the last of them. */
async function entriesOf(
  document: Document,
  { instruction }: ContentsField,
  headings: readonly Heading[],
  styles: Styles,
): Promise<readonly Element[]> {
  const fieldRun = (kind: string): Element =>
    wordElement(document, 'r', {}, [wordElement(document, 'fldChar', { fldCharType: kind })]);
  const instructionText = wordElement(document, 'instrText');
  instructionText.setAttribute('xml:space', 'preserve');
  instructionText.appendChild(document.createTextNode(instruction));
  const opening = [fieldRun('begin'), wordElement(document, 'r', {}, [instructionText]), fieldRun('separate')];
  const bookmarks = bookmarkNames(document);
  const entries: Element[] = [];
  const pauses = new Pauses();
  for (const { paragraph, level, text } of headings) {
    if (pauses.isDue()) await pauses.take();
    const run = wordElement(document, 'r', {}, textNodes(document, text));
    const anchor = bookmarks.of(paragraph);
    const link = wordElement(document, 'hyperlink', { anchor, history: '1' }, [run]);
    entries.push(wordElement(document, 'p', {}, [entryFormat(document, styles.contentsStyle(level)), link]));
  }
  if (entries.length === 0) entries.push(wordElement(document, 'p'));
  const [first] = entries;
  const start = first === undefined ? null : (childOf(first, 'hyperlink') ?? null);
  for (const run of opening) first?.insertBefore(run, start);
  entries.at(-1)?.appendChild(fieldRun('end'));
  return entries;
}

const entryFormat = (document: Document, style: string | undefined): Element =>
  wordElement(document, 'pPr', {}, style === undefined ? [] : [wordElement(document, 'pStyle', { val: style })]);

/** Finds the bookmark of a heading, or adds one. */
function bookmarkNames(document: Document): { of(paragraph: Element): string } {
  const all = descendantsOf(rootOf(document), 'bookmarkStart');
  let id = all.reduce((highest, bookmark) => Math.max(highest, Number(wordAttribute(bookmark, 'id')) || 0), 0);
  return {
    of(paragraph) {
      const known = descendantsOf(paragraph, 'bookmarkStart')
        .map((bookmark) => wordAttribute(bookmark, 'name'))
        .find((name) => name?.startsWith('_Toc') === true);
      if (known !== undefined) return known;
      id += 1;
      const name = `_TocReport${id}`;
      const afterFormat = childOf(paragraph, 'pPr')?.nextSibling ?? paragraph.firstChild;
      paragraph.insertBefore(wordElement(document, 'bookmarkStart', { id: String(id), name }), afterFormat);
      paragraph.appendChild(wordElement(document, 'bookmarkEnd', { id: String(id) }));
      return name;
    },
  };
}

interface Styles {
  /** The level of headings of a style, from 1. */
  levelOf(styleId: string | undefined): number | undefined;
  /** The name in lower case; empty for an unknown style. */
  nameOf(styleId: string | undefined): string;
  contentsStyle(level: number): string | undefined;
}

function stylesOf({ parts, stylesPart }: DocxTemplate): Styles {
  const styles = stylesPart === undefined ? [] : childrenOf(rootOf(parsePart(parts, stylesPart)), 'style');
  const byId = new Map(styles.map((style) => [wordAttribute(style, 'styleId'), style]));
  const nameOf = (style: Element | undefined): string =>
    wordAttribute(style && childOf(style, 'name'), 'val')?.toLowerCase() ?? '';
  const levelOf = (styleId: string | undefined, depth = 0): number | undefined => {
    const style = byId.get(styleId);
    if (styleId === undefined || style === undefined || depth > 20) return undefined;
    const format = childOf(style, 'pPr');
    const outline = wordAttribute(format === undefined ? undefined : childOf(format, 'outlineLvl'), 'val');
    if (outline !== undefined) return Number(outline) < 9 ? Number(outline) + 1 : undefined;
    const named = /^heading (\d)$/.exec(nameOf(style))?.[1];
    return named === undefined ? levelOf(wordAttribute(childOf(style, 'basedOn'), 'val'), depth + 1) : Number(named);
  };
  return {
    levelOf,
    nameOf: (styleId) => nameOf(byId.get(styleId)),
    contentsStyle: (level) =>
      wordAttribute(
        styles.find((style) => nameOf(style) === `toc ${level}`),
        'styleId',
      ),
  };
}

function siblingsBetween(first: Element, last: Element): readonly Node[] {
  const found: Node[] = [];
  for (let node: Node | null = first; node !== null; node = node.nextSibling) {
    found.push(node);
    if (node === last) return found;
  }
  return [];
}
