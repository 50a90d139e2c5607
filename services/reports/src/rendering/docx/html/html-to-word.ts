import type { Element } from '@xmldom/xmldom';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { ReportFailure } from '../../../report-failure.ts';
import type { PictureRequest } from '../../images/picture-source.ts';
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
  /^(?:p|div|h[1-6]|blockquote|pre|section|article|header|footer|main|aside|nav|address|figure|figcaption|dl|dt|dd|center|li|ul|ol)$/;
const LIST_INDENT = 360;
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
  return blocksOf(parseFragment(html).childNodes, target, {}, { indent: 0, hanging: 0 }, 0);
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

function blocksOf(
  nodes: readonly HtmlNode[],
  target: FragmentTarget,
  textStyle: TextStyle,
  outerStyle: ParagraphStyle,
  outerDepth: number,
): readonly Element[] {
  const blocks: Element[] = [];
  let runs: Element[] = [];
  let endsWithBlank = true;
  const flush = (style: ParagraphStyle): void => {
    if (runs.length > 0) blocks.push(paragraphOf(target, runs, style));
    runs = [];
    endsWithBlank = true;
  };
  const addText = (text: string, style: TextStyle, isLiteral: boolean): void => {
    const collapsed = isLiteral ? text : text.replace(/[ \t\r\n\f]+/g, ' ');
    const shown = endsWithBlank && !isLiteral ? collapsed.replace(/^ /, '') : collapsed;
    if (shown === '') return;
    runs.push(textRun(target, shown, style));
    endsWithBlank = shown.endsWith(' ');
  };
  const visitAll = (
    children: readonly HtmlNode[],
    style: TextStyle,
    paragraph: ParagraphStyle,
    depth: number,
    isLiteral: boolean,
  ): void => {
    let number = 0;
    for (const child of children) {
      if ('value' in child && child.nodeName === '#text') addText(child.value, style, isLiteral);
      if (!('tagName' in child) || depth > DEEPEST || LEFT_OUT.test(child.tagName)) continue;
      if (child.tagName === 'li') number += 1;
      visit(child, style, paragraph, depth, isLiteral, number);
    }
  };
  const visit = (
    element: HtmlElement,
    around: TextStyle,
    paragraph: ParagraphStyle,
    depth: number,
    isLiteral: boolean,
    number: number,
  ): void => {
    const { tagName } = element;
    const style = styleOf(element, around);
    if (tagName === 'br') {
      runs.push(breakRun(target));
      endsWithBlank = true;
    } else if (tagName === 'img') {
      const request = pictureOf(element);
      if (request !== undefined) runs.push(pictureRun(target, request, style));
    } else if (tagName === 'hr') {
      flush(paragraph);
      blocks.push(paragraphOf(target, [], { ...paragraph, isRule: true }));
    } else if (tagName === 'table') {
      flush(paragraph);
      blocks.push(
        tableOf(
          target.document,
          rowsOf(element).map((cells) => cells.map((cell) => cellBlocks(cell, target, style, depth))),
        ),
      );
    } else if (BLOCKS.test(tagName)) {
      flush(paragraph);
      const own = paragraphStyle(element, paragraph);
      if (tagName === 'li')
        runs.push(textRun(target, `${element.parentNode?.nodeName === 'ol' ? `${number}.` : '•'}\t`, around));
      visitAll(element.childNodes, style, own, depth + 1, isLiteral || tagName === 'pre');
      flush(own);
    } else visitAll(element.childNodes, style, paragraph, depth + 1, isLiteral);
  };
  visitAll(nodes, textStyle, outerStyle, outerDepth, false);
  flush(outerStyle);
  return blocks;
}

const cellBlocks = (cell: HtmlElement, target: FragmentTarget, style: TextStyle, depth: number): readonly Element[] => {
  const alignment = alignmentOf(cell);
  const paragraph = { indent: 0, hanging: 0, ...(alignment === undefined ? {} : { alignment }) };
  return blocksOf(cell.childNodes, target, styleOf(cell, style), paragraph, depth + 1);
};

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

/** Cells by row; spans are not kept. */
function rowsOf(table: HtmlElement): readonly (readonly HtmlElement[])[] {
  const elements = (parent: HtmlElement, names: RegExp): readonly HtmlElement[] =>
    parent.childNodes.filter((child): child is HtmlElement => 'tagName' in child && names.test(child.tagName));
  const groups = elements(table, /^(?:thead|tbody|tfoot)$/);
  const rows = [...groups.flatMap((group) => elements(group, /^tr$/)), ...elements(table, /^tr$/)];
  return rows.map((row) => elements(row, /^t[dh]$/)).filter((cells) => cells.length > 0);
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
