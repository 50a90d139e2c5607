import type { Document, Element } from '@xmldom/xmldom';
import type { PictureRequest } from '../../images/picture-source.ts';
import { childOf } from '../../ooxml/xml/xml.ts';
import { descendantsOf, isWord, textNodes, wordElement } from '../word-xml.ts';
import type { Alignment, TextStyle } from './text-style.ts';

/** The document and the formatting that a fragment is inserted into. */
export interface FragmentTarget {
  readonly document: Document;
  /** Formatting at the position of the fragment: `w:pPr` of its paragraph, `w:rPr` of its run. */
  readonly paragraphFormat: Element | undefined;
  readonly runFormat: Element | undefined;
  /** Creates a hyperlink element to an address, without content. */
  readonly hyperlinkTo: (address: string) => Element;
  /** Creates an element that is later replaced by the picture. */
  readonly placeholderFor: (request: PictureRequest) => Element;
}

export interface ParagraphStyle {
  readonly alignment?: Alignment;
  /** Twentieths of a point. */
  readonly indent: number;
  readonly hanging: number;
  readonly spaceAfter?: number;
  readonly isRule?: boolean;
}

/** Creates a run of text, inside a hyperlink where the style has an address. */
export function textRun(target: FragmentTarget, text: string, style: TextStyle): Element {
  const run = wordElement(target.document, 'r', {}, [runFormat(target, style), ...textNodes(target.document, text)]);
  return inHyperlink(target, run, style);
}

export function pictureRun(target: FragmentTarget, request: PictureRequest, style: TextStyle): Element {
  return inHyperlink(target, wordElement(target.document, 'r', {}, [target.placeholderFor(request)]), style);
}

export const breakRun = ({ document }: FragmentTarget, type?: 'page'): Element =>
  wordElement(document, 'r', {}, [wordElement(document, 'br', type === undefined ? {} : { type })]);

/** Begins a page with the first paragraph of a block. */
export function startPage(block: Element): void {
  const paragraph = isWord(block, 'p') ? block : descendantsOf(block, 'p')[0];
  const document = block.ownerDocument;
  if (paragraph === undefined || document === null) return;
  const format = childOf(paragraph, 'pPr');
  const own = [wordElement(document, 'pageBreakBefore')];
  const changed = inOrder(document, 'pPr', MEMBERS_OF_PAGE, format, own);
  if (format === undefined) paragraph.insertBefore(changed, paragraph.firstChild);
  else paragraph.replaceChild(changed, format);
}

function inHyperlink(target: FragmentTarget, run: Element, { address }: TextStyle): Element {
  if (address === undefined) return run;
  const hyperlink = target.hyperlinkTo(address);
  hyperlink.appendChild(run);
  return hyperlink;
}

/** The members are in the order of the schema. */
function runFormat({ document, runFormat: base }: FragmentTarget, style: TextStyle): Element {
  const isLink = style.address !== undefined;
  const own: readonly (Element | undefined)[] = [
    style.font === undefined
      ? undefined
      : wordElement(document, 'rFonts', { ascii: style.font, hAnsi: style.font, cs: style.font }),
    toggle(document, 'b', style.bold),
    toggle(document, 'i', style.italic),
    toggle(document, 'strike', style.struck),
    valued(document, 'color', style.color ?? (isLink ? '0563C1' : undefined)),
    valued(document, 'sz', style.halfPoints?.toString()),
    valued(document, 'szCs', style.halfPoints?.toString()),
    valued(document, 'u', style.underlined === true || isLink ? 'single' : undefined),
    style.background === undefined
      ? undefined
      : wordElement(document, 'shd', { val: 'clear', color: 'auto', fill: style.background }),
    valued(document, 'vertAlign', style.position),
  ];
  return inOrder(document, 'rPr', RUN_MEMBERS, base, own);
}

/** Creates a paragraph with runs; what the fragment does not set has the formatting of the target. */
export function paragraphOf(target: FragmentTarget, runs: readonly Element[], style: ParagraphStyle): Element {
  const { document, paragraphFormat } = target;
  const border = { val: 'single', sz: '6', space: '1', color: '808080' };
  const own: readonly (Element | undefined)[] = [
    style.isRule === true ? wordElement(document, 'pBdr', {}, [wordElement(document, 'bottom', border)]) : undefined,
    style.spaceAfter === undefined ? undefined : wordElement(document, 'spacing', { after: String(style.spaceAfter) }),
    style.indent === 0
      ? undefined
      : wordElement(document, 'ind', { left: String(style.indent), hanging: String(style.hanging) }),
    valued(document, 'jc', style.alignment),
  ];
  const format = inOrder(document, 'pPr', PARAGRAPH_MEMBERS, paragraphFormat, own);
  return wordElement(document, 'p', {}, [format, ...runs]);
}

/** A cell of a table, or the part of a merged cell that is in one row. */
export interface TableCell {
  readonly blocks: readonly Element[];
  readonly columns: number;
  /** Whether the cell continues in the rows below, or is the continuation of the cell above. */
  readonly merge?: 'restart' | 'continue' | undefined;
}

/** Creates a table of full width, with borders around its cells. */
export function tableOf(document: Document, rows: readonly (readonly TableCell[])[]): Element {
  const columns = rows.reduce((max, cells) => Math.max(max, sumOf(cells)), 1);
  const column = Math.floor(9000 / columns);
  const line = { val: 'single', sz: '4', space: '0', color: '808080' };
  const sides = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'];
  const create = (name: string, children: readonly Element[], attributes = {}): Element =>
    wordElement(document, name, attributes, children);
  const borders = sides.map((side) => create(side, [], line));
  const format = create('tblPr', [create('tblW', [], { w: '5000', type: 'pct' }), create('tblBorders', borders)]);
  const grid = Array.from({ length: columns }, () => create('gridCol', [], { w: String(column) }));
  const cellOf = ({ blocks, columns: span, merge }: TableCell): Element =>
    create('tc', [
      create('tcPr', [
        create('tcW', [], { w: String(column * span), type: 'dxa' }),
        ...(span === 1 ? [] : [create('gridSpan', [], { val: String(span) })]),
        ...(merge === undefined ? [] : [create('vMerge', [], { val: merge })]),
      ]),
      ...(blocks.at(-1)?.localName === 'p' ? blocks : [...blocks, create('p', [])]),
    ]);
  return create('tbl', [format, create('tblGrid', grid), ...rows.map((cells) => create('tr', cells.map(cellOf)))]);
}

const sumOf = (cells: readonly TableCell[]): number => cells.reduce((sum, { columns }) => sum + columns, 0);

const RUN_MEMBERS = ['rStyle', 'rFonts', 'b', 'i', 'strike', 'color', 'sz', 'szCs', 'u', 'shd', 'vertAlign', 'lang'];
/** Members of a paragraph that all paragraphs of a fragment have; only one begins a page. */
const PARAGRAPH_MEMBERS = ['pStyle', 'keepNext', 'keepLines', 'pBdr', 'shd', 'spacing', 'ind', 'jc'];
const MEMBERS_OF_PAGE = PARAGRAPH_MEMBERS.toSpliced(3, 0, 'pageBreakBefore');

/** Creates a format from its own members and those of the base that it does not have, in the order of the schema. */
function inOrder(
  document: Document,
  name: string,
  members: readonly string[],
  base: Element | undefined,
  own: readonly (Element | undefined)[],
): Element {
  const found = new Map<string, Element>();
  for (const child of base?.childNodes ?? [])
    if (child.localName !== null) found.set(child.localName, child.cloneNode(true) as Element);
  for (const element of own) if (element?.localName) found.set(element.localName, element);
  const ordered = members.flatMap((member) => found.get(member) ?? []);
  return wordElement(document, name, {}, ordered);
}

const toggle = (document: Document, name: string, on: boolean | undefined): Element | undefined =>
  on === undefined ? undefined : wordElement(document, name, on ? {} : { val: '0' });

const valued = (document: Document, name: string, value: string | undefined): Element | undefined =>
  value === undefined ? undefined : wordElement(document, name, { val: value });
