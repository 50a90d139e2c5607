import type { Element } from '@xmldom/xmldom';
import type { OoxmlPackage } from '../../ooxml/ooxml-package.ts';
import { relatedParts } from '../../ooxml/relationships.ts';
import { elementsBelow, renumberShapes } from '../../ooxml/renumber-shapes.ts';
import { editPart } from '../../ooxml/xml/edit-part.ts';
import { Pauses } from '../../ooxml/xml/pauses.ts';
import { childOf, childrenOf, elementsIn, parsePart, rootOf, setChildren } from '../../ooxml/xml/xml.ts';
import { type Area, intersection, type Offset } from '../cells/area.ts';
import { type ReferenceToken, tokenizeFormula } from '../cells/formula-tokens.ts';
import { rangeAt } from '../placing/copies-of.ts';
import type { Placement } from '../placing/placement.ts';
import { rewriteFormula } from '../placing/rewrite-formula.ts';
import type { BandRange, SheetTemplate, XlsxTemplate } from '../template/xlsx-template.ts';
import { appendAnchors } from './add-pictures.ts';
import type { ChangedPart, ResultContext } from './result-context.ts';

/**
 * Moves charts with the first copy of the band that they touch, with the data of all its copies, and repeats pictures
 * and shapes of a band for each copy (contract/report-templates.md#xlsx, "After").
 */
export async function* editDrawings(parts: OoxmlPackage, context: ResultContext): AsyncGenerator<ChangedPart> {
  for (const sheet of context.layout.template.sheets) {
    for (const control of relatedParts(parts, sheet.part, /\/ctrlProp$/))
      yield [control, await editPart(parts, control, (root) => moveControl(root, sheet, context))];
    for (const drawing of relatedParts(parts, sheet.part, /\/drawing$/)) {
      const edit = async (root: Element): Promise<void> => {
        await moveAnchors(root, sheet, context);
        appendAnchors(root, context.pictures.get(sheet)?.anchors ?? '');
      };
      yield [drawing, await editPart(parts, drawing, edit)];
      for (const chart of relatedParts(parts, drawing, /\/chart(?:Ex)?$/))
        yield [chart, await editPart(parts, chart, (root) => moveChartReferences(root, context))];
    }
  }
}

/** A picture, shape or chart of a sheet. */
interface DrawnObject {
  readonly area: Area;
  /** A picture or shape is drawn once for each copy of its band, a chart once. */
  readonly isChart: boolean;
}

/** Pictures, shapes and charts of a sheet that have a position in cells. */
export function objectsOf(parts: OoxmlPackage, sheet: SheetTemplate): readonly DrawnObject[] {
  const known = objects.get(sheet) ?? readObjects(parts, sheet);
  objects.set(sheet, known);
  return known;
}

const objects = new WeakMap<SheetTemplate, readonly DrawnObject[]>();

const readObjects = (parts: OoxmlPackage, sheet: SheetTemplate): readonly DrawnObject[] =>
  relatedParts(parts, sheet.part, /\/drawing$/)
    .flatMap((drawing) => childrenOf(rootOf(parsePart(parts, drawing))))
    .filter((anchor) => childOf(anchor, 'from') !== undefined)
    .map((anchor) => ({ area: areaOf(anchor), isChart: hasFrame(anchor) }));

/** Whether an anchor has a chart or a slicer, of which a document has one; newer kinds are within an alternative. */
const hasFrame = (anchor: Element): boolean => anchor.getElementsByTagNameNS('*', 'graphicFrame').length > 0;

async function moveAnchors(root: Element, sheet: SheetTemplate, context: ResultContext): Promise<void> {
  const { layout, budget } = context;
  const nextId = idsOf(root);
  const pauses = new Pauses();
  const children: Element[] = [];
  for (const anchor of childrenOf(root)) {
    const isAnchor = /^(?:two|one)CellAnchor$/.test(anchor.localName ?? '');
    const range = isAnchor ? touchedRange(layout.template, sheet, areaOf(anchor)) : undefined;
    if (range === undefined) {
      linkTexts(anchor, undefined, context);
      children.push(anchor);
      continue;
    }
    const isChart = hasFrame(anchor);
    const first = layout.spanOf(layout.root, range.band)?.first;
    if (first === undefined) {
      // Without a copy of the band its pictures and shapes are removed; a chart stays.
      if (isChart) children.push(anchor);
      continue;
    }
    children.push(anchor);
    const size = elementsIn(anchor);
    const copies: Element[] = [];
    if (!isChart)
      for (const placement of layout.placementsOf(range.band).slice(1)) {
        budget.add(size);
        if (pauses.isDue()) await pauses.take();
        const copy = anchor.cloneNode(true) as Element;
        renumberShapes(elementsBelow(copy), nextId);
        moveAnchor(copy, placement.offset);
        linkTexts(copy, placement, context);
        copies.push(copy);
      }
    // The last copy is drawn first.
    for (const copy of copies.reverse()) children.push(copy);
    moveAnchor(anchor, first.offset);
    linkTexts(anchor, first, context);
  }
  setChildren(root, children);
}

/** The band of the top left cell, else the first band that the area touches: pictures are drawn for one band only. */
export const touchedRange = (template: XlsxTemplate, sheet: SheetTemplate, area: Area): BandRange | undefined =>
  rangeAt(template, sheet, area) ??
  [...template.ranges.values()].find((range) => range.sheet === sheet && intersection(area, range.area) !== undefined);

function areaOf(anchor: Element): Area {
  const from = cellOf(childOf(anchor, 'from'));
  const to = childOf(anchor, 'to') === undefined ? from : cellOf(childOf(anchor, 'to'));
  return { top: from.row, left: from.column, bottom: to.row, right: to.column };
}

const cellOf = (element: Element | undefined) => ({
  row: Number((element && childOf(element, 'row'))?.textContent ?? 0) + 1,
  column: Number((element && childOf(element, 'col'))?.textContent ?? 0) + 1,
});

function moveAnchor(anchor: Element, { rows, columns }: Offset): void {
  for (const end of [childOf(anchor, 'from'), childOf(anchor, 'to')])
    for (const element of end === undefined ? [] : childrenOf(end)) {
      const by = element.localName === 'row' ? rows : element.localName === 'col' ? columns : undefined;
      if (by !== undefined) element.textContent = String(Number(element.textContent) + by);
    }
}

/** Returns a counter of ids that are greater than those of all objects of a drawing. */
function idsOf(root: Element): () => number {
  let last = 0;
  for (const element of elementsBelow(root))
    if (element.localName === 'cNvPr') last = Math.max(last, Number(element.getAttribute('id') ?? 0));
  return () => {
    last += 1;
    return last;
  };
}

/** Moves the cells of a form control: its list, and the cell of its value. */
function moveControl(control: Element, sheet: SheetTemplate, { layout, sheetNames }: ResultContext): void {
  for (const name of ['fmlaRange', 'fmlaLink', 'fmlaTxbx']) {
    const formula = control.getAttribute(name);
    const meaning = name === 'fmlaRange' ? ('set' as const) : undefined;
    const location = { layout, sheet, from: undefined, sheetNames, meaning };
    if (formula) control.setAttribute(name, rewriteFormula(tokenizeFormula(formula), location) ?? formula);
  }
}

/** Moves the references to cells whose texts shapes show, as formulas of the copy. */
function linkTexts(element: Element, from: Placement | undefined, context: ResultContext): void {
  const { layout, sheetNames } = context;
  const link = element.getAttribute('textlink') ?? '';
  if (link !== '')
    element.setAttribute(
      'textlink',
      rewriteFormula(tokenizeFormula(link), { layout, sheet: from?.range.sheet, from, sheetNames }) ?? link,
    );
  for (const child of childrenOf(element)) linkTexts(child, from, context);
}

/** Stored values of references; `lvl` is that of newer charts. */
const CACHES = new Set(['numCache', 'strCache', 'multiLvlStrCache', 'lvl', 'dlblRangeCache', 'dlblFieldTableCache']);
/** References of charts; `sqref` is that of the extensions. */
const CHART_REFERENCES = new Set(['f', 'sqref']);

/**
 * Moves and extends the references of charts. Cached values of the template are removed, since they belong to other
 * cells, but for those of names and of one cell without aliases: LibreOffice shows them.
 */
function moveChartReferences(element: Element, context: ResultContext): void {
  const { layout, sheetNames } = context;
  const own = childOf(element, 'f');
  const tokens = own && tokenizeFormula(own.textContent ?? '');
  const isKept = tokens?.every((token) => token.kind !== 'reference' || isStatic(token, layout.template)) === true;
  for (const child of childrenOf(element)) {
    if (CACHES.has(child.localName ?? '')) {
      if (!isKept || own?.textContent?.includes(':') === true) element.removeChild(child);
    } else if (CHART_REFERENCES.has(child.localName ?? '') && childrenOf(child).length === 0) {
      const formula = tokenizeFormula(child.textContent ?? '');
      const location = { layout, sheet: undefined, from: undefined, sheetNames, meaning: 'set' } as const;
      child.textContent = rewriteFormula(formula, location) ?? child.textContent;
    } else moveChartReferences(child, context);
  }
}

/** Whether a reference is to one cell that the template has filled. */
function isStatic({ sheet, first, last = first }: ReferenceToken, { sheets }: XlsxTemplate): boolean {
  const cells = sheets.find(({ name }) => name === sheet)?.rows.get(first.row ?? 0)?.cells;
  const isOne = first.row === last.row && first.column === last.column;
  return isOne && cells?.get(first.column ?? 0)?.content.kind === 'static';
}
