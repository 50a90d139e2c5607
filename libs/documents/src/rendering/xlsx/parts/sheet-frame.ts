import type { Element } from '@xmldom/xmldom';
import { parseXmlInSlices } from '../../ooxml/xml/parse-xml-in-slices.ts';
import { writeXmlInSlices } from '../../ooxml/xml/write-xml-in-slices.ts';
import { childOf, childrenOf, NAMESPACES, rootOf } from '../../ooxml/xml/xml.ts';
import { type Area, areaText, isInside, MAX_COLUMNS, moved } from '../cells/area.ts';
import { offsetsOf } from '../placing/copies-of.ts';
import type { Layout } from '../placing/layout.ts';
import type { SheetTemplate } from '../template/xlsx-template.ts';
import { fillText } from '../writing/cell-value.ts';
import { hasBreak } from '../writing/result-rows.ts';
import type { ResultContext } from './result-context.ts';
import { createElement, insertInOrder } from './sheet-order.ts';
import { moveSheetReferences } from './sheet-references.ts';

const DATA = /<(?:[^\s<>:/]+:)?sheetData\s*\/>/;
const MERGES = 'lintel-merges';
/** Maximum of Excel, which refuses longer headers and footers. */
const MAX_HEADER_CHARACTERS = 255;

/** Writes the XML of a sheet before its rows. Only the columns depend on the positions of bands. */
export async function sheetHead(sheet: SheetTemplate, layout: Layout): Promise<string> {
  const root = rootOf(await parseXmlInSlices(shellOf(sheet), sheet.part));
  addColumns(root, sheet, layout);
  const { before } = await frameOf(root);
  // Rows are written without a prefix, even if the template uses one.
  return `${before}<sheetData${root.prefix ? ` xmlns="${root.namespaceURI}"` : ''}>`;
}

/** Writes the XML of a sheet after its rows, when the positions of all bands are known. */
export async function* sheetTail(
  sheet: SheetTemplate,
  context: ResultContext,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const root = rootOf(await parseXmlInSlices(shellOf(sheet), sheet.part));
  const isMerged = !mergesOf(sheet, context.layout).next().done;
  if (isMerged) {
    const merges = createElement(root, 'mergeCells', {});
    merges.appendChild(createElement(root, MERGES, {}));
    insertInOrder(root, merges);
  }
  await moveSheetReferences(root, sheet, context, signal);
  addBreaks(root, sheet, context);
  fillHeaderFooter(root, sheet, context);
  addDrawing(root, context.pictures.get(sheet)?.newDrawing);
  const { after } = await frameOf(root);
  yield '</sheetData>';
  if (!isMerged) {
    yield after;
    return;
  }
  const prefix = root.prefix ? `${root.prefix}:` : '';
  const [start = '', end = ''] = after.split(`<${prefix}${MERGES}/>`);
  yield start;
  for (const area of mergesOf(sheet, context.layout)) yield `<${prefix}mergeCell ref="${areaText(area)}"/>`;
  yield end;
}

function shellOf({ shell, name }: SheetTemplate): Uint8Array {
  if (shell === undefined) throw new Error(`The sheet ${name} has no cells`);
  return shell;
}

async function frameOf(root: Element): Promise<{ readonly before: string; readonly after: string }> {
  const document = root.ownerDocument;
  if (document === null) throw new Error('A sheet is a document');
  const text = new TextDecoder().decode(await writeXmlInSlices(document));
  const match = DATA.exec(text);
  if (match === null) throw new Error('A sheet has data');
  return { before: text.slice(0, match.index), after: text.slice(match.index + match[0].length) };
}

/** Yields the merged cells of each copy of a band, in the order of the copies. */
function* mergesOf(sheet: SheetTemplate, layout: Layout): Generator<Area> {
  for (const range of layout.template.ranges.values()) {
    if (range.sheet !== sheet) continue;
    const inside = sheet.merges.filter(
      // A range of one cell may represent the cells that it is merged with.
      (merge) =>
        isInside(merge, range.area) ||
        (range.area.top === range.area.bottom && range.area.left === range.area.right && isInside(range.area, merge)),
    );
    if (inside.length === 0) continue;
    for (const offset of offsetsOf(layout, range)) for (const merge of inside) yield moved(merge, offset);
  }
}

/** Adds the columns of the template; new columns of vertical bands are like the column that they are copied from. */
function addColumns(root: Element, sheet: SheetTemplate, layout: Layout): void {
  const byColumn = new Map<number, SheetTemplate['columns'][number]>();
  for (const one of sheet.columns)
    for (let column = one.first; column <= Math.min(one.last, MAX_COLUMNS); column += 1) byColumn.set(column, one);
  const defined = (column: number) => byColumn.get(column);
  const added = new Map<number, Readonly<Record<string, string>>>();
  for (const range of layout.template.ranges.values()) {
    if (range.sheet !== sheet) continue;
    for (const { offset } of layout.placementsOf(range.band)) {
      if (offset.columns === 0) continue;
      for (let column = range.area.left; column <= range.area.right; column += 1) {
        const target = column + offset.columns;
        const source = defined(column);
        if (source !== undefined && defined(target) === undefined && !added.has(target))
          added.set(target, source.attributes);
      }
    }
  }
  const columns = [
    ...sheet.columns.map(({ first, last, attributes }) => ({ first, last: Math.min(last, MAX_COLUMNS), attributes })),
    ...[...added].map(([column, attributes]) => ({ first: column, last: column, attributes })),
  ].sort((one, other) => one.first - other.first);
  if (columns.length === 0) return;
  const list = createElement(root, 'cols', {});
  for (const { first, last, attributes } of columns)
    list.appendChild(createElement(root, 'col', { min: String(first), max: String(last), ...attributes }));
  insertInOrder(root, list);
}

function addBreaks(root: Element, sheet: SheetTemplate, context: ResultContext): void {
  if (sheet.breaks.size === 0) return;
  const rows: number[] = [];
  for (let row = 1; row <= context.layout.usedRows(sheet); row += 1)
    if (hasBreak(row, context.layout.placementsIn(sheet, row), context)) rows.push(row);
  if (rows.length === 0) return;
  const count = String(rows.length);
  const list = createElement(root, 'rowBreaks', { count, manualBreakCount: count });
  for (const row of rows) list.appendChild(createElement(root, 'brk', { id: String(row), max: '16383', man: '1' }));
  insertInOrder(root, list);
}

function addDrawing(root: Element, relationship: string | undefined): void {
  if (relationship === undefined) return;
  const drawing = createElement(root, 'drawing', {});
  drawing.setAttributeNS(NAMESPACES.officeRelationships, 'r:id', relationship);
  insertInOrder(root, drawing);
}

/** Fills `${Band.field}` in the headers and footers of printed pages, where `&` begins a code. */
function fillHeaderFooter(root: Element, { name }: SheetTemplate, { textOf, warn }: ResultContext): void {
  for (const element of childrenOf(childOf(root, 'headerFooter') ?? root)) {
    if (!/^(?:odd|even|first)(?:Header|Footer)$/.test(element.localName ?? '')) continue;
    const text = fillText(element.textContent ?? '', (path) => {
      const dot = path.indexOf('.');
      return (dot < 0 ? undefined : textOf(path.slice(0, dot), path.slice(dot + 1)))?.replaceAll('&', '&&') ?? '';
    });
    if (text.length > MAX_HEADER_CHARACTERS)
      warn?.(
        `The ${element.localName} of the sheet ${name} has ${text.length} characters; Excel reads ${MAX_HEADER_CHARACTERS}, and it was cut`,
      );
    // An ampersand at the end would begin a code.
    element.textContent = text
      .slice(0, MAX_HEADER_CHARACTERS)
      .toWellFormed()
      .replace(/(?<!&)(&&)*&$/, '$1');
  }
}
