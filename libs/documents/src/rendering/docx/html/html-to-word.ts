import type { Element } from '@xmldom/xmldom';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { ReportFailure } from '../../../report-failure.ts';
import type { PictureRequest } from '../../images/picture-source.ts';
import { childOf } from '../../ooxml/xml/xml.ts';
import { descendantsOf } from '../word-xml.ts';
import { type BlockWriter, createBlockWriter } from './block-writer.ts';
import {
  breakRun,
  type FragmentTarget,
  type ParagraphStyle,
  paragraphOf,
  pictureRun,
  startPage,
  type TableCell,
  tableOf,
  textRun,
} from './fragment-writer.ts';
import { alignmentOf, pageBreaksOf, styleOf, type TextStyle } from './text-style.ts';

type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
type HtmlElement = DefaultTreeAdapterTypes.Element;

const MAX_CHARACTERS = 2_000_000;
/** Deeper elements are ignored; documents written by hand do not nest that deep. */
const MAX_DEPTH = 100;
const IGNORED_ELEMENTS =
  /^(?:script|style|head|title|iframe|object|embed|template|noscript|svg|math|form|input|select|textarea|button|video|audio|canvas|link|meta|base)$/;
const BLOCK_ELEMENTS =
  /^(?:p|div|h[1-6]|blockquote|pre|section|article|header|footer|main|aside|nav|address|figure|figcaption|dl|dt|dd|center|ul|ol)$/;
const LIST_INDENT = 360;
/** Maximum of Word. */
const MAX_TABLE_COLUMNS = 63;
const MAX_CONTINUATIONS = 10_000;
/** Side of the box of pictures without a size. */
const DEFAULT_PICTURE_SIDE = 600;

/**
 * Converts a fragment of HTML to paragraphs and tables. Text, emphasis, colours, sizes, lists, tables, links and
 * pictures are converted. All other elements are ignored, above all scripts and style sheets: only what is listed here
 * reaches the document.
 *
 * @throws ReportFailure for a fragment of more than two million characters
 */
export function htmlToBlocks(html: string, target: FragmentTarget): readonly Element[] {
  if (html.length > MAX_CHARACTERS)
    throw new ReportFailure(`A fragment of HTML has more than ${MAX_CHARACTERS} characters`);
  const paragraph = { indent: 0, hanging: 0 };
  const nodes = parseFragment(html).childNodes;
  const continuations = { count: 0 };
  const blocks = blocksOf(nodes, target, { text: {}, paragraph, depth: 0, isLiteral: false, continuations });
  const { paragraphFormat } = target;
  const [first] = blocks;
  if (first !== undefined && paragraphFormat && childOf(paragraphFormat, 'pageBreakBefore')) startPage(first);
  return blocks;
}

/** Converts a fragment to runs of one paragraph: blocks are separated by line breaks. */
export function htmlToRuns(html: string, target: FragmentTarget): readonly Element[] {
  const paragraphs = htmlToBlocks(html, target).flatMap((block) =>
    block.localName === 'p' ? [block] : [...block.getElementsByTagName('w:p')].filter((one) => !isContinuation(one)),
  );
  return paragraphs.flatMap((paragraph, index) => [
    ...(index === 0
      ? []
      : [breakRun(target, descendantsOf(paragraph, 'pageBreakBefore').length > 0 ? 'page' : undefined)]),
    ...[...paragraph.childNodes].filter((child) => child.nodeName !== 'w:pPr'),
  ]) as Element[];
}

/** Whether a paragraph is in the continuation of a cell of the row above. */
function isContinuation({ parentNode }: Element): boolean {
  const format = parentNode === null ? undefined : childOf(parentNode, 'tcPr');
  return format !== undefined && childOf(format, 'vMerge')?.getAttribute('w:val') === 'continue';
}

/** What a node inherits from its ancestors. */
interface NodeContext {
  readonly text: TextStyle;
  readonly paragraph: ParagraphStyle;
  readonly depth: number;
  /** Whether white space is kept. */
  readonly isLiteral: boolean;
  /** Counts the continuations of cells in the rows below them, of the whole fragment. */
  readonly continuations: { count: number };
}

function blocksOf(nodes: readonly HtmlNode[], target: FragmentTarget, context: NodeContext): readonly Element[] {
  const writer = createBlockWriter(target);
  writeAll(nodes, context, writer, target);
  writer.endParagraph(context.paragraph);
  writer.finish(context.paragraph);
  return writer.blocks;
}

function writeAll(nodes: readonly HtmlNode[], context: NodeContext, writer: BlockWriter, target: FragmentTarget): void {
  let items = 0;
  for (const node of nodes) {
    if ('value' in node && node.nodeName === '#text') writer.addText(node.value, context.text, context.isLiteral);
    if (!('tagName' in node) || context.depth > MAX_DEPTH || IGNORED_ELEMENTS.test(node.tagName)) continue;
    const page = pageBreaksOf(node);
    if (page.before) breakPage(context, writer);
    if (node.tagName === 'li') {
      items += 1;
      writeItem(node, items, context, writer, target);
    } else if (node.tagName !== 'br' || !(page.before || page.after)) writeElement(node, context, writer, target);
    if (page.after) breakPage(context, writer);
  }
}

function breakPage(context: NodeContext, writer: BlockWriter): void {
  writer.endParagraph(context.paragraph);
  writer.breakPage();
}

function writeElement(element: HtmlElement, context: NodeContext, writer: BlockWriter, target: FragmentTarget): void {
  const { tagName } = element;
  const text = styleOf(element, context.text);
  switch (tagName) {
    case 'br':
      writer.addBreak();
      return;
    case 'img': {
      const request = pictureOf(element);
      if (request !== undefined) writer.addRun(pictureRun(target, request, text));
      return;
    }
    case 'hr':
      writer.endParagraph(context.paragraph);
      writer.addBlock(paragraphOf(target, [], { ...context.paragraph, isRule: true }));
      return;
    case 'table':
      for (const caption of childrenNamed(element, /^caption$/)) writeBlock(caption, context, writer, target);
      writer.endParagraph(context.paragraph);
      writer.addBlock(tableOf(target.document, cellsOf(element, { ...context, text }, target)));
      return;
    default:
      if (BLOCK_ELEMENTS.test(tagName)) writeBlock(element, { ...context, text }, writer, target);
      else writeAll(element.childNodes, { ...context, text, depth: context.depth + 1 }, writer, target);
  }
}

function writeBlock(element: HtmlElement, context: NodeContext, writer: BlockWriter, target: FragmentTarget): void {
  writer.endParagraph(context.paragraph);
  const paragraph = paragraphStyle(element, context.paragraph);
  const isLiteral = context.isLiteral || element.tagName === 'pre';
  writeAll(element.childNodes, { ...context, paragraph, isLiteral, depth: context.depth + 1 }, writer, target);
  writer.endParagraph(paragraph);
}

function writeItem(
  element: HtmlElement,
  number: number,
  context: NodeContext,
  writer: BlockWriter,
  target: FragmentTarget,
): void {
  writer.endParagraph(context.paragraph);
  const label = element.parentNode?.nodeName === 'ol' ? `${number}.` : '•';
  const paragraph = paragraphStyle(element, context.paragraph);
  writer.addRun(textRun(target, `${label}\t`, context.text));
  const text = styleOf(element, context.text);
  writeAll(element.childNodes, { ...context, text, paragraph, depth: context.depth + 1 }, writer, target);
  writer.endParagraph(paragraph);
}

/** Cells that continue in the next row, by their first column. */
type OpenCells = Map<number, { readonly rows: number; readonly columns: number }>;

/** Cells by row, merged over columns and rows as in HTML; rows without cells of their own are left out. */
const cellsOf = (table: HtmlElement, context: NodeContext, target: FragmentTarget): readonly (readonly TableCell[])[] =>
  childrenNamed(table, /^(?:thead|tbody|tfoot)$/).flatMap((group) => {
    const open: OpenCells = new Map();
    return childrenNamed(group, /^tr$/).flatMap((row) => {
      const own = childrenNamed(row, /^t[dh]$/);
      const cells = cellsOfRow(own, open, context, target);
      return own.length === 0 ? [] : [cells];
    });
  });

function cellsOfRow(
  own: readonly HtmlElement[],
  open: OpenCells,
  context: NodeContext,
  target: FragmentTarget,
): readonly TableCell[] {
  const { continuations } = context;
  const cells: TableCell[] = [];
  const add = (column: number, rows: number, cell: TableCell): number => {
    if (rows > 1) open.set(column, { rows: rows - 1, columns: cell.columns });
    else open.delete(column);
    cells.push(cell);
    return column + cell.columns;
  };
  let next = 0;
  for (let column = 0; column < MAX_TABLE_COLUMNS; ) {
    const above = open.get(column);
    if (above !== undefined) {
      // A short fragment would be a large document.
      continuations.count += 1;
      if (continuations.count > MAX_CONTINUATIONS)
        throw new ReportFailure(`Cells of HTML continue in more than ${MAX_CONTINUATIONS} rows`);
      column = add(column, above.rows, { blocks: [], columns: above.columns, merge: 'continue' });
      continue;
    }
    const free = Math.min(MAX_TABLE_COLUMNS, ...[...open.keys()].filter((one) => one > column)) - column;
    const cell = own[next];
    next += 1;
    if (cell === undefined && column + free === MAX_TABLE_COLUMNS) break;
    const [rows, columns] = cell === undefined ? [1, free] : [spanOf(cell, 'rowspan'), spanOf(cell, 'colspan')];
    const blocks = cell === undefined ? [] : blocksOfCell(cell, context, target);
    const merge = rows > 1 ? 'restart' : undefined;
    column = add(column, rows, { blocks, columns: Math.min(free, columns), merge });
  }
  return cells;
}

/** A span of 0 rows reaches to the end of the rows. */
function spanOf({ attrs }: HtmlElement, name: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(attrs.find((one) => one.name === name)?.value ?? '', 10);
  if (span === 0 && name === 'rowspan') return Number.POSITIVE_INFINITY;
  return span > 0 ? span : 1;
}

function blocksOfCell(cell: HtmlElement, context: NodeContext, target: FragmentTarget): readonly Element[] {
  const alignment = alignmentOf(cell);
  const paragraph = { indent: 0, hanging: 0, ...(alignment === undefined ? {} : { alignment }) };
  const text = styleOf(cell, context.text);
  return blocksOf(cell.childNodes, target, { ...context, text, paragraph, depth: context.depth + 1, isLiteral: false });
}

function paragraphStyle(element: HtmlElement, inherited: ParagraphStyle): ParagraphStyle {
  const { tagName } = element;
  const alignment = tagName === 'center' ? 'center' : alignmentOf(element);
  const isIndented = tagName === 'li' || tagName === 'blockquote' || tagName === 'dd';
  return {
    ...inherited,
    indent: inherited.indent + (isIndented ? LIST_INDENT : 0),
    hanging: tagName === 'li' ? LIST_INDENT : 0,
    ...(alignment === undefined ? {} : { alignment }),
  };
}

const childrenNamed = (parent: HtmlElement, names: RegExp): readonly HtmlElement[] =>
  parent.childNodes.filter((child): child is HtmlElement => 'tagName' in child && names.test(child.tagName));

/** Pictures of `data:` URLs, and of URLs, which must be on the allow-list of the service. */
function pictureOf(element: HtmlElement): PictureRequest | undefined {
  const attribute = (name: string): string => element.attrs.find((one) => one.name === name)?.value ?? '';
  const source = attribute('src').trim();
  const side = (name: string): number | undefined => {
    const pixels = Number.parseInt(attribute(name), 10);
    return pixels > 0 && pixels <= 10_000 ? pixels : undefined;
  };
  const [width, height] = [side('width'), side('height')];
  const box = {
    width: width ?? DEFAULT_PICTURE_SIDE,
    height: height ?? DEFAULT_PICTURE_SIDE,
    onlyShrinks: width === undefined && height === undefined,
  };
  const data = /^data:image\/(?:png|jpeg|gif);base64,([A-Za-z0-9+/=\s]+)$/.exec(source)?.[1];
  if (data !== undefined) return { kind: 'bitmap', source: data, ...box, field: 'img' };
  return /^https?:\/\//i.test(source) ? { kind: 'image', source, ...box, field: 'img' } : undefined;
}
