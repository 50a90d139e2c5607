import type { Element } from '@xmldom/xmldom';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { ReportFailure } from '../../../report-failure.ts';
import type { PictureRequest } from '../../images/picture-source.ts';
import { type BlockWriter, createBlockWriter } from './block-writer.ts';
import {
  breakRun,
  type FragmentTarget,
  type ParagraphStyle,
  paragraphOf,
  pictureRun,
  tableOf,
  textRun,
} from './fragment-writer.ts';
import { alignmentOf, styleOf, type TextStyle } from './text-style.ts';

type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
type HtmlElement = DefaultTreeAdapterTypes.Element;

const MOST_CHARACTERS = 2_000_000;
/** Elements that lie deeper are left out; nobody nests that deep by hand. */
const DEEPEST = 100;
const LEFT_OUT =
  /^(?:script|style|head|title|iframe|object|embed|template|noscript|svg|math|form|input|select|textarea|button|video|audio|canvas|link|meta|base)$/;
const BLOCKS =
  /^(?:p|div|h[1-6]|blockquote|pre|section|article|header|footer|main|aside|nav|address|figure|figcaption|dl|dt|dd|center|ul|ol)$/;
const LIST_INDENT = 360;
/** Of a table in Word. */
const MOST_COLUMNS = 63;
/** Box of pictures that say no size. */
const LARGEST = 600;

/**
 * A fragment of HTML as paragraphs and tables. Text, emphasis, colours, sizes, lists, tables, links and pictures
 * come over; everything else, scripts and styles of pages above all, is left out: what is not known here has
 * no way into the document.
 *
 * @throws ReportFailure for a fragment of more than two million characters
 */
export function htmlToBlocks(html: string, target: FragmentTarget): readonly Element[] {
  if (html.length > MOST_CHARACTERS)
    throw new ReportFailure(`A fragment of HTML has more than ${MOST_CHARACTERS} characters`);
  return blocksOf(parseFragment(html).childNodes, target, {
    text: {},
    paragraph: { indent: 0, hanging: 0 },
    depth: 0,
    isLiteral: false,
  });
}

/** The same within a line: blocks are separated by line breaks. */
export function htmlToRuns(html: string, target: FragmentTarget): readonly Element[] {
  const paragraphs = htmlToBlocks(html, target).flatMap((block) =>
    block.localName === 'p' ? [block] : [...block.getElementsByTagName('w:p')],
  );
  return paragraphs.flatMap((paragraph, index) => [
    ...(index === 0 ? [] : [breakRun(target)]),
    ...[...paragraph.childNodes].filter((child) => child.nodeName !== 'w:pPr'),
  ]) as Element[];
}

/** What is around a node. */
interface Surroundings {
  readonly text: TextStyle;
  readonly paragraph: ParagraphStyle;
  readonly depth: number;
  /** Whether white space is kept. */
  readonly isLiteral: boolean;
}

function blocksOf(nodes: readonly HtmlNode[], target: FragmentTarget, around: Surroundings): readonly Element[] {
  const writer = createBlockWriter(target);
  writeAll(nodes, around, writer, target);
  writer.endParagraph(around.paragraph);
  return writer.blocks;
}

function writeAll(nodes: readonly HtmlNode[], around: Surroundings, writer: BlockWriter, target: FragmentTarget): void {
  let items = 0;
  for (const node of nodes) {
    if ('value' in node && node.nodeName === '#text') writer.addText(node.value, around.text, around.isLiteral);
    if (!('tagName' in node) || around.depth > DEEPEST || LEFT_OUT.test(node.tagName)) continue;
    if (node.tagName === 'li') {
      items += 1;
      writeItem(node, items, around, writer, target);
    } else writeElement(node, around, writer, target);
  }
}

function writeElement(element: HtmlElement, around: Surroundings, writer: BlockWriter, target: FragmentTarget): void {
  const { tagName } = element;
  const text = styleOf(element, around.text);
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
      writer.endParagraph(around.paragraph);
      writer.addBlock(paragraphOf(target, [], { ...around.paragraph, isRule: true }));
      return;
    case 'table':
      writer.endParagraph(around.paragraph);
      writer.addBlock(tableOf(target.document, cellsOf(element, { ...around, text }, target)));
      return;
    default:
      if (BLOCKS.test(tagName)) writeBlock(element, { ...around, text }, writer, target);
      else writeAll(element.childNodes, { ...around, text, depth: around.depth + 1 }, writer, target);
  }
}

function writeBlock(element: HtmlElement, around: Surroundings, writer: BlockWriter, target: FragmentTarget): void {
  writer.endParagraph(around.paragraph);
  const paragraph = paragraphStyle(element, around.paragraph);
  const isLiteral = around.isLiteral || element.tagName === 'pre';
  writeAll(element.childNodes, { ...around, paragraph, isLiteral, depth: around.depth + 1 }, writer, target);
  writer.endParagraph(paragraph);
}

function writeItem(
  element: HtmlElement,
  number: number,
  around: Surroundings,
  writer: BlockWriter,
  target: FragmentTarget,
): void {
  writer.endParagraph(around.paragraph);
  const mark = element.parentNode?.nodeName === 'ol' ? `${number}.` : '•';
  const paragraph = paragraphStyle(element, around.paragraph);
  writer.addRun(textRun(target, `${mark}\t`, around.text));
  const text = styleOf(element, around.text);
  writeAll(element.childNodes, { ...around, text, paragraph, depth: around.depth + 1 }, writer, target);
  writer.endParagraph(paragraph);
}

/** The blocks of cells by row; spans are not kept. */
function cellsOf(
  table: HtmlElement,
  around: Surroundings,
  target: FragmentTarget,
): readonly (readonly (readonly Element[])[])[] {
  const depth = around.depth + 1;
  return rowsOf(table).map((cells) =>
    cells.map((cell) => {
      const alignment = alignmentOf(cell);
      const paragraph = { indent: 0, hanging: 0, ...(alignment === undefined ? {} : { alignment }) };
      return blocksOf(cell.childNodes, target, {
        text: styleOf(cell, around.text),
        paragraph,
        depth,
        isLiteral: false,
      });
    }),
  );
}

function paragraphStyle(element: HtmlElement, around: ParagraphStyle): ParagraphStyle {
  const { tagName } = element;
  const alignment = tagName === 'center' ? 'center' : alignmentOf(element);
  const isIndented = tagName === 'li' || tagName === 'blockquote' || tagName === 'dd';
  return {
    ...around,
    indent: around.indent + (isIndented ? LIST_INDENT : 0),
    hanging: tagName === 'li' ? LIST_INDENT : 0,
    ...(alignment === undefined ? {} : { alignment }),
  };
}

/** Cells by row. */
function rowsOf(table: HtmlElement): readonly (readonly HtmlElement[])[] {
  const elements = (parent: HtmlElement, names: RegExp): readonly HtmlElement[] =>
    parent.childNodes.filter((child): child is HtmlElement => 'tagName' in child && names.test(child.tagName));
  const groups = elements(table, /^(?:thead|tbody|tfoot)$/);
  const rows = [...groups.flatMap((group) => elements(group, /^tr$/)), ...elements(table, /^tr$/)];
  return rows.map((row) => elements(row, /^t[dh]$/).slice(0, MOST_COLUMNS)).filter((cells) => cells.length > 0);
}

/** Pictures of data addresses, and of addresses that the allow-list of the service decides about. */
function pictureOf(element: HtmlElement): PictureRequest | undefined {
  const attribute = (name: string): string => element.attrs.find((one) => one.name === name)?.value ?? '';
  const source = attribute('src').trim();
  const side = (name: string): number | undefined => {
    const pixels = Number.parseInt(attribute(name), 10);
    return pixels > 0 && pixels <= 10_000 ? pixels : undefined;
  };
  const [width, height] = [side('width'), side('height')];
  const box = {
    width: width ?? LARGEST,
    height: height ?? LARGEST,
    onlyShrinks: width === undefined && height === undefined,
  };
  const data = /^data:image\/(?:png|jpeg|gif);base64,([A-Za-z0-9+/=\s]+)$/.exec(source)?.[1];
  if (data !== undefined) return { kind: 'bitmap', source: data, ...box, field: 'img' };
  return /^https?:\/\//i.test(source) ? { kind: 'image', source, ...box, field: 'img' } : undefined;
}
