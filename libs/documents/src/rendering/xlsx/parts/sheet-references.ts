import type { Element, Node } from '@xmldom/xmldom';
import { Pauses } from '../../ooxml/xml/pauses.ts';
import { childOf, childrenOf, elementsIn, isElement, setChildren } from '../../ooxml/xml/xml.ts';
import { type Area, areaText, moved, parseArea } from '../cells/area.ts';
import { tokenizeFormula } from '../cells/formula-tokens.ts';
import { copiesOf, firstCopy, rangeAt } from '../placing/copies-of.ts';
import type { Placement } from '../placing/placement.ts';
import { type FormulaLocation, rewriteFormula } from '../placing/rewrite-formula.ts';
import type { SheetTemplate } from '../template/xlsx-template.ts';
import { growReference } from './grow-reference.ts';
import type { ResultContext } from './result-context.ts';

/** Context of moving references. */
interface Moving {
  readonly sheet: SheetTemplate;
  readonly context: ResultContext;
  /** Lets the event loop continue where that is due; throws when the run is stopped. */
  readonly pause: () => Promise<void>;
}

/**
 * Moves the references to cells that a sheet has besides formulas: conditional formats, data validations, protected
 * ranges, hyperlinks, filters, sparklines. References to bands without rows are removed.
 *
 * @throws REPORT_RUN_ERROR for more elements and areas than the document may have
 */
export async function moveSheetReferences(
  worksheet: Element,
  sheet: SheetTemplate,
  context: ResultContext,
  signal: AbortSignal,
): Promise<void> {
  const pauses = new Pauses();
  const pause = async (): Promise<void> => {
    if (!pauses.isDue()) return;
    await pauses.take();
    signal.throwIfAborted();
  };
  await visit(worksheet, { sheet, context, pause });
}

/** Moves the references below an element. Returns the element, or nothing where a list has become empty. */
async function visit(parent: Element, moving: Moving): Promise<readonly Element[]> {
  const children: Node[] = [];
  let isChanged = false;
  for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
    await moving.pause();
    if (!isElement(node)) {
      children.push(node);
      continue;
    }
    const moved = await movedElement(node, moving);
    isChanged ||= moved.length !== 1 || moved[0] !== node;
    for (const one of moved) children.push(one);
  }
  if (isChanged) setChildren(parent, children);
  return LISTS.has(parent.localName ?? '') && childrenOf(parent).length === 0 ? [] : [parent];
}

async function movedElement(element: Element, moving: Moving): Promise<readonly Element[]> {
  switch (element.localName) {
    case 'sheetData':
    case 'sheetViews':
    case 'cols':
    // Of a view that the sheet stores.
    case 'selection':
      return [element];
    case 'hyperlink':
      return copiesOfHyperlink(element, moving);
    case 'autoFilter':
    case 'sortState':
      growReference(element, moving.sheet, moving.context.layout);
      return [element];
    case 'sparkline':
      return copiesOfSparkline(element, moving);
    case 'f':
      // The dates of a group of sparklines.
      element.textContent = rewrite(element.textContent ?? '', undefined, moving, 'set');
      return [element];
    default:
      return moveElement(element, moving);
  }
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

/** `sqref` has the cells of a rule: as an attribute, or as an element of the extensions. */
async function moveElement(element: Element, moving: Moving): Promise<readonly Element[]> {
  const { sheet, context } = moving;
  const inner = childrenOf(element, 'sqref')[0];
  const text = element.getAttribute('sqref') ?? inner?.textContent ?? null;
  if (text === null) return visit(element, moving);
  const areas = areasOf(text);
  const copies: Area[] = [];
  for (const area of areas) {
    await moving.pause();
    for (const copy of copiesOf(context.layout, sheet, area)) copies.push(copy);
  }
  if (copies.length === 0) return [];
  context.budget.add(copies.length);
  const moved = copies.map(areaText).join(' ');
  if (inner === undefined) element.setAttribute('sqref', moved);
  else inner.textContent = moved;
  const [area] = areas;
  const from = area && firstCopy(context.layout, sheet, area);
  const meaning = element.getAttribute('type') === 'list' ? 'set' : undefined;
  rewriteFormulas(element, (formula) => rewrite(formula, from, moving, meaning, area));
  return [element];
}

const FORMULAS = new Set(['formula', 'formula1', 'formula2', 'f']);

/** Rewrites the formulas of a rule, which are relative to its first cell. */
function rewriteFormulas(element: Element, rewritten: (formula: string) => string): void {
  for (const child of childrenOf(element)) {
    // Its value may be a reference whatever its type is.
    const limit = child.localName === 'cfvo' ? child.getAttribute('val') : null;
    if (limit !== null) child.setAttribute('val', rewritten(limit));
    if (FORMULAS.has(child.localName ?? '') && childrenOf(child).length === 0)
      child.textContent = rewritten(child.textContent ?? '');
    else rewriteFormulas(child, rewritten);
  }
}

function rewrite(
  formula: string,
  from: Placement | undefined,
  { sheet, context: { layout, sheetNames } }: Moving,
  meaning?: FormulaLocation['meaning'],
  rule?: Area,
): string {
  return rewriteFormula(tokenizeFormula(formula), { layout, sheet, from, sheetNames, meaning, rule }) ?? '#REF!';
}

/** Returns one hyperlink for each copy of its cell; an address within the workbook moves like a formula of the copy. */
function copiesOfHyperlink(element: Element, moving: Moving): Promise<readonly Element[]> {
  const location = element.getAttribute('location');
  return copiesOfElement(element, element.getAttribute('ref') ?? '', moving, (copy, target, from) => {
    copy.setAttribute('ref', areaText(target));
    if (location !== null) copy.setAttribute('location', rewrite(location, from, moving));
  });
}

/** Returns one sparkline for each copy of its cell. */
function copiesOfSparkline(element: Element, moving: Moving): Promise<readonly Element[]> {
  const formula = childOf(element, 'f')?.textContent ?? '';
  return copiesOfElement(element, childOf(element, 'sqref')?.textContent ?? '', moving, (copy, target, from) => {
    for (const child of childrenOf(copy))
      child.textContent = child.localName === 'sqref' ? areaText(target) : rewrite(formula, from, moving, 'set');
  });
}

async function copiesOfElement(
  element: Element,
  cell: string,
  { sheet, context, pause }: Moving,
  edit: (copy: Element, target: Area, from: Placement | undefined) => void,
): Promise<readonly Element[]> {
  const area = parseArea(cell);
  if (area === undefined) return [element];
  const size = elementsIn(element);
  const copies: Element[] = [];
  for (const { target, from } of copiesWithPlacement(sheet, area, context)) {
    context.budget.add(size);
    await pause();
    const copy = element.cloneNode(true) as Element;
    edit(copy, target, from);
    copies.push(copy);
  }
  return copies;
}

/** Yields the cell of each copy of its band, or the cell itself where it belongs to no band. */
function* copiesWithPlacement(
  sheet: SheetTemplate,
  area: Area,
  { layout }: ResultContext,
): Generator<{ readonly target: Area; readonly from: Placement | undefined }> {
  const range = rangeAt(layout.template, sheet, area);
  if (range === undefined) yield { target: area, from: undefined };
  else for (const from of layout.placementsOf(range.band)) yield { target: moved(area, from.offset), from };
}

const areasOf = (text: string): readonly Area[] => text.split(/\s+/).flatMap((part) => parseArea(part) ?? []);
