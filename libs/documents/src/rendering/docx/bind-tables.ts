import { nextIteration } from '@lintel/timing';
import type { Element, Node } from '@xmldom/xmldom';
import type { BandData } from '../../bands/band-data.ts';
import { type Alias, findAliases } from '../aliases.ts';
import type { ElementBudget } from '../ooxml/xml/element-budget.ts';
import { childrenOf, elementsIn, isElement, setChildren } from '../ooxml/xml/xml.ts';
import { type FieldValues, rowsOfBand } from './field-values.ts';
import { fillHyperlinks } from './fill-hyperlinks.ts';
import { type FillContext, fillParagraphs } from './fill-paragraphs.ts';
import { replaceInParagraph, textOfParagraph } from './paragraph-text.ts';
import { renewIdentity } from './renew-identity.ts';
import type { WordPart } from './word-part.ts';
import { descendantsOf, endWithParagraph, isWord } from './word-xml.ts';

export interface BindContext extends FillContext {
  readonly part: WordPart;
  readonly values: FieldValues;
  /** Yields to the event loop after some rows; throws when the run is stopped. */
  readonly pause: () => Promise<void>;
  /** Counts the elements that rows add to the document. */
  readonly budget: ElementBudget;
}

const MARKER = /##band=([A-Za-z0-9_]+) */;

/**
 * Repeats the rows of tables that are bound to bands (contract/report-templates.md#formats, #docx): the first row names
 * the band, and the first row with an alias of the band, else the first one with the table of a band within it, is
 * repeated for each row of the band. A table within a repeated row has the child bands of that row.
 *
 * @param scope the band row of the enclosing table; the root outside of tables
 */
export async function bindTables(within: Node, scope: BandData, context: BindContext): Promise<void> {
  for (const table of outermostTables(within)) {
    const name = takeMarker(table);
    if (name === undefined) await bindTables(table, scope, context);
    else await bindTable(table, name, scope, context);
  }
}

async function bindTable(table: Element, name: string, scope: BandData, context: BindContext): Promise<void> {
  const rows = rowsOfTable(table);
  const own = rows.find((row) => hasAlias(row, (alias) => !context.values.namesBand(alias)));
  const template = own ?? rows.find((row) => descendantsOf(row, 'tbl').some((table) => markerOf(table) !== undefined));
  // The scan of a large row takes time.
  await nextIteration();
  const instances = rowsFor(name, scope);
  if (name.endsWith('Control') && (own === undefined || own === rows[0])) {
    const first = instances.find(({ isPlaceholder }) => !isPlaceholder);
    if (first === undefined) removeTable(table);
    else for (const row of rows) await fillRow(row, first, context);
    return;
  }
  for (const row of rows) if (row !== template) await bindTables(row, scope, context);
  if (template === undefined) return;
  if (instances.length === 0 && template === rows[0]) removeTable(table);
  else await repeatRow(template, instances, context);
}

/** Within a repeated row the rows below it are used; a band that is not below it is looked up from the root. */
function rowsFor(name: string, scope: BandData): readonly BandData[] {
  if (scope.parent === undefined || !isBelow(scope, name)) return rowsOfBand(rootOf(scope), name);
  return rowsOfBand(scope, name).filter(({ isPlaceholder }) => !isPlaceholder);
}

async function repeatRow(template: Element, instances: readonly BandData[], context: BindContext): Promise<void> {
  const { parentNode: table } = template;
  if (table === null) throw new Error('A row belongs to no table');
  const size = elementsIn(template);
  const rows: Element[] = [];
  for (const [index, instance] of instances.entries()) {
    await context.pause();
    context.budget.add(size);
    const row = await cloneInSlices(template);
    if (index > 0) renewIdentity(row, () => context.part.nextDrawingId());
    await fillRow(row, instance, context);
    rows.push(row);
  }
  setChildren(
    table,
    [...nodesOf(table)].flatMap((node) => (node === template ? rows : [node])),
  );
}

/** Elements that are cloned before the event loop continues. */
const ELEMENTS_PER_SLICE = 1_000;

/** Creates a deep copy; a large one in slices, between which the event loop continues. */
async function cloneInSlices(element: Element): Promise<Element> {
  if (elementsIn(element) <= ELEMENTS_PER_SLICE) return element.cloneNode(true) as Element;
  const copy = element.cloneNode(false) as Element;
  let elements = 0;
  for (const child of nodesOf(element)) {
    const size = elementsIn(child);
    copy.appendChild(
      isElement(child) && size > ELEMENTS_PER_SLICE ? await cloneInSlices(child) : child.cloneNode(true),
    );
    elements += size;
    if (elements < ELEMENTS_PER_SLICE) continue;
    elements = 0;
    await nextIteration();
  }
  return copy;
}

function* nodesOf(parent: Node): Generator<Node> {
  for (let node = parent.firstChild; node !== null; node = node.nextSibling) yield node;
}

async function fillRow(row: Element, instance: BandData, context: BindContext): Promise<void> {
  const { values, part } = context;
  const valueFor = (alias: Alias) => (values.namesBand(alias) ? values.ofFirst(alias) : values.ofRow(instance, alias));
  const paragraphs = ownOf(row, 'p');
  fillHyperlinks(part, ownOf(row, 'hyperlink'), valueFor, context.filled);
  await bindTables(row, instance, context);
  await fillParagraphs(paragraphs, valueFor, context);
}

/** Elements of a row, without the elements of bound tables within it. */
export const ownOf = (row: Element, name: string): readonly Element[] =>
  descendantsOf(row, name, (element) => !isWord(element, 'tbl') || markerOf(element) === undefined);

/** Whether a row has such an alias, outside of bound tables within it. */
export const hasAlias = (row: Element, isSought: (alias: Alias) => boolean): boolean =>
  ownOf(row, 'p').some((paragraph) => findAliases(textOfParagraph(paragraph)).some(isSought));

const notTables = (element: Element): boolean => !isWord(element, 'tbl');

/** The label of a table: in its first row, outside of the tables within it. */
export function labelOf(table: Element): { readonly paragraph: Element; readonly found: RegExpExecArray } | undefined {
  const [first] = rowsOfTable(table);
  for (const paragraph of first === undefined ? [] : descendantsOf(first, 'p', notTables)) {
    const found = MARKER.exec(textOfParagraph(paragraph));
    if (found !== null) return { paragraph, found };
  }
  return undefined;
}

/** Returns the band that a table names. */
export const markerOf = (table: Element): string | undefined => labelOf(table)?.found[1];

/** Returns the band that a table names, and removes its label. */
function takeMarker(table: Element): string | undefined {
  const { paragraph, found } = labelOf(table) ?? {};
  if (paragraph === undefined || found === undefined) return undefined;
  replaceInParagraph(paragraph, [{ start: found.index, end: found.index + found[0].length, by: '' }]);
  return found[1];
}

function outermostTables(within: Node): readonly Element[] {
  const found: Element[] = [];
  const visit = (parent: Node): void => {
    for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
      if (isWord(child, 'tbl')) found.push(child);
      else if (isElement(child)) visit(child);
    }
  };
  visit(within);
  return found;
}

/** Returns the rows of a table, without those of nested tables; rows may be inside content controls. */
export function rowsOfTable(table: Element): readonly Element[] {
  return childrenOf(table).flatMap((child) =>
    isWord(child, 'tr') ? [child] : isWord(child, 'sdt') ? descendantsOf(child, 'tr', notTables) : [],
  );
}

function removeTable(table: Element): void {
  const parent = table.parentNode;
  parent?.removeChild(table);
  if (parent !== null && parent !== undefined) endWithParagraph(parent);
}

const rootOf = (band: BandData): BandData => (band.parent === undefined ? band : rootOf(band.parent));

/** Whether the band is below this row, also where it has no rows. */
const isBelow = (band: BandData, name: string): boolean =>
  band.children.has(name) || [...band.children.values()].some((rows) => rows.some((row) => isBelow(row, name)));
