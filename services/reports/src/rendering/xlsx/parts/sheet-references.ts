import type { Element } from '@xmldom/xmldom';
import { childrenOf } from '../../ooxml/xml.ts';
import { type Area, areaText, moved, parseArea } from '../cells/area.ts';
import { tokenizeFormula } from '../cells/formula-tokens.ts';
import { copiesOf, firstCopy } from '../placing/copies-of.ts';
import { mapArea } from '../placing/map-area.ts';
import type { Placement } from '../placing/placement.ts';
import { rewriteFormula } from '../placing/rewrite-formula.ts';
import type { SheetTemplate } from '../template/xlsx-template.ts';
import type { ResultContext } from './result-context.ts';

/**
 * Takes everything of a sheet that names cells outside of cells to where those are: conditional formats, data
 * validations, protected ranges, hyperlinks, filters, sparklines. What belonged to bands that were not shown goes.
 */
export function moveSheetReferences(worksheet: Element, sheet: SheetTemplate, context: ResultContext): void {
  visit(worksheet, sheet, context);
}

function visit(parent: Element, sheet: SheetTemplate, context: ResultContext): void {
  for (const element of childrenOf(parent)) {
    switch (element.localName) {
      case 'sheetData':
      case 'sheetViews':
      case 'cols':
        break;
      case 'hyperlink':
        copyHyperlink(element, sheet, context);
        break;
      case 'autoFilter':
      case 'sortState':
        growReference(element, sheet, context);
        break;
      case 'sparkline':
        copySparkline(element, sheet, context);
        break;
      default:
        moveElement(element, sheet, context);
    }
  }
  if (LISTS.has(parent.localName ?? '') && childrenOf(parent).length === 0) parent.parentNode?.removeChild(parent);
}

/** Lists that may not be empty. */
const LISTS = new Set([
  'hyperlinks',
  'dataValidations',
  'protectedRanges',
  'ignoredErrors',
  'conditionalFormattings',
  'sparklines',
  'sparklineGroup',
  'sparklineGroups',
]);

/** `sqref` names the cells that a rule is for: as an attribute, or as an element of the extensions. */
function moveElement(element: Element, sheet: SheetTemplate, context: ResultContext): void {
  const inner = childrenOf(element, 'sqref')[0];
  const text = element.getAttribute('sqref') ?? inner?.textContent ?? null;
  if (text === null) {
    visit(element, sheet, context);
    return;
  }
  const areas = areasOf(text);
  const copies = areas.flatMap((area) => copiesOf(context.layout, sheet, area));
  if (copies.length === 0) {
    element.parentNode?.removeChild(element);
    return;
  }
  const moved = copies.map(areaText).join(' ');
  if (inner === undefined) element.setAttribute('sqref', moved);
  else inner.textContent = moved;
  const [area] = areas;
  const from = area && firstCopy(context.layout, sheet, area);
  rewriteFormulas(element, sheet, from, context);
}

const FORMULAS = new Set(['formula', 'formula1', 'formula2', 'f']);

/** Formulas of rules are written for the first of their cells. */
function rewriteFormulas(
  element: Element,
  sheet: SheetTemplate,
  from: Placement | undefined,
  context: ResultContext,
): void {
  for (const child of childrenOf(element))
    if (FORMULAS.has(child.localName ?? '') && childrenOf(child).length === 0)
      child.textContent = rewrite(child.textContent ?? '', sheet, from, context);
    else if (child.localName === 'cfvo' && child.getAttribute('type') === 'formula')
      child.setAttribute('val', rewrite(child.getAttribute('val') ?? '', sheet, from, context));
    else rewriteFormulas(child, sheet, from, context);
}

function rewrite(
  formula: string,
  sheet: SheetTemplate,
  from: Placement | undefined,
  { layout, sheetNames }: ResultContext,
): string {
  return rewriteFormula(tokenizeFormula(formula), { layout, sheet, from, sheetNames }) ?? '#REF!';
}

/** One hyperlink for each copy of its cell; an address within the workbook moves like a formula of the copy. */
function copyHyperlink(element: Element, sheet: SheetTemplate, context: ResultContext): void {
  const area = parseArea(element.getAttribute('ref') ?? '');
  const parent = element.parentNode;
  if (area === undefined || parent === null) return;
  const location = element.getAttribute('location');
  for (const { place, from } of copiesWithPlacement(sheet, area, context)) {
    const copy = element.cloneNode(true) as Element;
    copy.setAttribute('ref', areaText(place));
    if (location !== null) copy.setAttribute('location', rewrite(location, sheet, from, context));
    parent.insertBefore(copy, element);
  }
  parent.removeChild(element);
}

/** One sparkline for each copy of its cell. */
function copySparkline(element: Element, sheet: SheetTemplate, context: ResultContext): void {
  const [cell] = childrenOf(element, 'sqref');
  const [formula] = childrenOf(element, 'f');
  const [area] = areasOf(cell?.textContent ?? '');
  const parent = element.parentNode;
  if (area === undefined || parent === null) return;
  for (const { place, from } of copiesWithPlacement(sheet, area, context)) {
    const copy = element.cloneNode(true) as Element;
    for (const child of childrenOf(copy))
      child.textContent =
        child.localName === 'sqref' ? areaText(place) : rewrite(formula?.textContent ?? '', sheet, from, context);
    parent.insertBefore(copy, element);
  }
  parent.removeChild(element);
}

/** Places of a cell with the copies of its band; the place itself for a cell of no band. */
function* copiesWithPlacement(
  sheet: SheetTemplate,
  area: Area,
  { layout }: ResultContext,
): Generator<{ readonly place: Area; readonly from: Placement | undefined }> {
  const range = [...layout.template.ranges.values()].find(
    (one) =>
      one.sheet === sheet && one.area.top <= area.top && area.top <= one.area.bottom && coversColumn(one.area, area),
  );
  if (range === undefined) yield { place: area, from: undefined };
  else for (const from of layout.placementsOf(range.band)) yield { place: moved(area, from.offset), from };
}

const coversColumn = (range: Area, area: Area): boolean => range.left <= area.left && area.left <= range.right;

/** A range that is one, wherever its ends are: it grows over all copies. */
function growReference(element: Element, sheet: SheetTemplate, { layout }: Pick<ResultContext, 'layout'>): void {
  const area = parseArea(element.getAttribute('ref') ?? '');
  const mapped = area && mapArea(layout, sheet, area, undefined);
  if (mapped?.kind === 'moved') element.setAttribute('ref', areaText(mapped.all));
  for (const child of childrenOf(element))
    if (child.localName === 'sortCondition' || child.localName === 'sortState') growReference(child, sheet, { layout });
}

const areasOf = (text: string): readonly Area[] =>
  text.split(/\s+/).flatMap((part) => {
    const area = parseArea(part);
    return area === undefined ? [] : [area];
  });
