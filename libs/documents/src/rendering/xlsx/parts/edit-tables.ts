import type { Element } from '@xmldom/xmldom';
import type { OoxmlPackage } from '../../ooxml/ooxml-package.ts';
import { relatedParts } from '../../ooxml/relationships.ts';
import { editPart } from '../../ooxml/xml/edit-part.ts';
import { childOf, childrenOf, parsePart, rootOf } from '../../ooxml/xml/xml.ts';
import { type Area, areaText, moved, parseArea } from '../cells/area.ts';
import { firstCopy, rangeAt } from '../placing/copies-of.ts';
import type { SheetTemplate } from '../template/xlsx-template.ts';
import { cellValueOf } from '../writing/cell-value.ts';
import { growReference } from './grow-reference.ts';
import type { ChangedPart, ResultContext } from './result-context.ts';

/**
 * Extends tables and the sources of pivot tables over all copies of the bands that they touch, and moves pivot tables
 * with the first copy of their band.
 */
export async function* editTables(
  parts: OoxmlPackage,
  workbookPart: string,
  context: ResultContext,
): AsyncGenerator<ChangedPart> {
  for (const sheet of context.layout.template.sheets) {
    for (const part of relatedParts(parts, sheet.part, /\/table$/))
      yield [part, await editPart(parts, part, (root) => growTable(root, sheet, context))];
    for (const part of relatedParts(parts, sheet.part, /\/pivotTable$/))
      yield [part, await editPart(parts, part, (root) => movePivotTable(root, sheet, context))];
  }
  for (const part of relatedParts(parts, workbookPart, /\/pivotCacheDefinition$/))
    yield [part, await editPart(parts, part, (root) => growPivotSource(root, context))];
}

function growTable(root: Element, sheet: SheetTemplate, context: ResultContext): void {
  nameColumns(root, sheet, context);
  dropLostRows(root, sheet, context);
  growReference(root, sheet, context.layout);
  // A table has at least one row, below its header if it has one.
  const headerRows = root.getAttribute('headerRowCount') === '0' ? 0 : 1;
  for (const element of [root, childOf(root, 'autoFilter')]) {
    const area = parseArea(element?.getAttribute('ref') ?? '');
    if (area !== undefined)
      element?.setAttribute('ref', areaText({ ...area, bottom: Math.max(area.bottom, area.top + headerRows) }));
  }
}

/** Names the columns of a table as its header, whose cells may have aliases: with other names Excel repairs the file. */
function nameColumns(root: Element, sheet: SheetTemplate, context: ResultContext): void {
  const area = parseArea(root.getAttribute('ref') ?? '');
  const header = area && firstCopy(context.layout, sheet, { ...area, bottom: area.top });
  if (area === undefined || header === undefined) return;
  for (const [index, column] of childrenOf(childOf(root, 'tableColumns') ?? root, 'tableColumn').entries()) {
    const content = sheet.rows.get(area.top)?.cells.get(area.left + index)?.content;
    const value = content?.kind === 'text' ? cellValueOf(content, header, context) : undefined;
    if (value?.kind === 'text') column.setAttribute('name', value.text);
  }
}

/** Removes the header and the totals of a table if their cells are outside of all ranges: the document lacks them. */
function dropLostRows(root: Element, sheet: SheetTemplate, { layout }: ResultContext): void {
  const area = parseArea(root.getAttribute('ref') ?? '');
  if (area === undefined) return;
  const isLost = (row: number): boolean =>
    rangeAt(layout.template, sheet, { ...area, top: row }) === undefined ||
    rangeAt(layout.template, sheet, { ...area, top: row, left: area.right }) === undefined;
  let { top, bottom } = area;
  const filter = childOf(root, 'autoFilter');
  if (root.getAttribute('headerRowCount') !== '0' && isLost(top)) {
    root.setAttribute('headerRowCount', '0');
    if (filter !== undefined) root.removeChild(filter);
    top += 1;
  }
  if (Number(root.getAttribute('totalsRowCount')) > 0 && isLost(bottom)) {
    root.removeAttribute('totalsRowCount');
    bottom -= 1;
  }
  if (top <= bottom) root.setAttribute('ref', areaText({ ...area, top, bottom }));
}

/** The cells of the pivot tables of a sheet, and of its tables with a header. */
export const tablesOf = (parts: OoxmlPackage, sheet: SheetTemplate): readonly Area[] =>
  relatedParts(parts, sheet.part, /\/(?:pivotTable|table)$/).flatMap((part) => {
    const root = rootOf(parsePart(parts, part));
    if (root.getAttribute('headerRowCount') === '0') return [];
    return parseArea((childOf(root, 'location') ?? root).getAttribute('ref') ?? '') ?? [];
  });

/** What a pivot table shows may reach over several bands: its first cell decides. */
function movePivotTable(root: Element, sheet: SheetTemplate, { layout }: ResultContext): void {
  const location = childOf(root, 'location');
  const area = parseArea(location?.getAttribute('ref') ?? '');
  const band = area && rangeAt(layout.template, sheet, area)?.band;
  const first = band && layout.spanOf(layout.root, band)?.first;
  if (area && first) location?.setAttribute('ref', areaText(moved(area, first.offset)));
}

function growPivotSource(root: Element, { layout, sheetNames }: ResultContext): void {
  for (const source of sourcesIn(root)) {
    const name = source.getAttribute('sheet');
    const sheet = layout.template.sheets.find((one) => one.name === name);
    if (sheet === undefined) continue;
    source.setAttribute('sheet', sheetNames[sheet.index] ?? sheet.name);
    growReference(source, sheet, layout);
  }
  root.setAttribute('refreshOnLoad', '1');
}

/** The source of a pivot table, or the sources that it consolidates. */
const sourcesIn = (element: Element): readonly Element[] =>
  childrenOf(element).flatMap((child) =>
    child.localName === 'worksheetSource' || child.localName === 'rangeSet' ? [child] : sourcesIn(child),
  );
