import type { ReportBand } from '@lintel/application';
import type { Element } from '@xmldom/xmldom';
import { CONTENT_TYPES_PART, declarePart, removePart } from '../../ooxml/content-types.ts';
import { OoxmlError, type OoxmlPackage, partOf } from '../../ooxml/ooxml-package.ts';
import { readPackage } from '../../ooxml/read-package.ts';
import { mainPartOf, relatedPart, relationshipsOf, relationshipsPartOf } from '../../ooxml/relationships.ts';
import { stripExternalContent } from '../../ooxml/strip-external-content.ts';
import { parsePartInSlices, parseXmlInSlices } from '../../ooxml/xml/parse-xml-in-slices.ts';
import { assertSmall, childOf, childrenOf, NAMESPACES, parsePart, rootOf, writeXml } from '../../ooxml/xml/xml.ts';
import { noteDrawings, readNotes } from '../parts/note-shapes.ts';
import { readNames } from '../parts/read-names.ts';
import { type ReadStrings, readSharedStrings } from './cell-text.ts';
import { assertCrossBands, assertSmallRanges, bandNamesOf } from './check-ranges.ts';
import { readSheet } from './read-sheet.ts';
import type { SheetTemplate, XlsxTemplate } from './xlsx-template.ts';

/**
 * Parses a workbook template and checks it against the bands of its report.
 *
 * @throws Error with the problem of the workbook or of its names
 */
export async function parseXlsxTemplate(bytes: Uint8Array, bands: readonly ReportBand[]): Promise<XlsxTemplate> {
  const packed = await readPackage(bytes);
  const workbookPart = mainPartOf(packed);
  const parts = await stripExternalContent(withoutDropped(packed, workbookPart));
  await assertWellFormed(parts);
  const workbook = rootOf(await parsePartInSlices(parts, workbookPart));
  if (workbook.localName !== 'workbook') throw new OoxmlError('the file is no workbook');
  const strings = await readSharedStrings(parts, relatedPart(parts, workbookPart, 'sharedStrings'));
  const sheets = await readSheets(parts, workbookPart, workbook, strings);
  for (const { part } of sheets) for (const drawing of noteDrawings(parts, part)) await readNotes(parts, drawing);
  const { ranges, hints } = readNames(workbook, sheets, new Set(bandNamesOf(bands)));
  if (ranges.size === 0)
    throw new Error('the workbook has no named range with the name of a band, so nothing would be shown');
  assertSmallRanges([...ranges.values()], hints.length);
  assertCrossBands(bands, ranges);
  const properties = childOf(workbook, 'workbookPr');
  const isCalendarOf1904 = ['1', 'true'].includes(properties?.getAttribute('date1904') ?? '');
  const sharedStrings = await strings.sharedBy(sheets);
  return { parts, workbookPart, sheets, ranges, hints, sharedStrings, isCalendarOf1904 };
}

/** Parses every part when the definition is loaded, so that no run finds an invalid one. */
async function assertWellFormed(parts: OoxmlPackage): Promise<void> {
  for (const [name, bytes] of parts) {
    if (!/\.(?:xml|rels)$/i.test(name)) continue;
    if (SMALL_PARTS.test(name)) assertSmall(bytes, name);
    await parseXmlInSlices(bytes, name);
  }
}

/** Parts that runs edit. */
const SMALL_PARTS = /(?:^|\/)(?:styles|workbook|drawing|chart|table)[^/]*\.xml$|\.rels$|^\[Content_Types\]/i;

const NO_CELLS = {
  rows: new Map<number, never>(),
  columns: [],
  merges: [],
  breaks: new Set<number>(),
  filledRows: [],
  linked: [],
  namedOutside: new Set<string>(),
};

/** Macros of Excel 4, whose cells would not be checked. */
const MACRO_SHEET = /\/xl(?:Intl)?Macrosheet$/i;

async function readSheets(
  parts: OoxmlPackage,
  workbookPart: string,
  workbook: Element,
  strings: ReadStrings,
): Promise<readonly SheetTemplate[]> {
  const relationships = relationshipsOf(parts, workbookPart);
  const sheets: SheetTemplate[] = [];
  for (const element of childrenOf(childOf(workbook, 'sheets') ?? workbook, 'sheet')) {
    const name = element.getAttribute('name') ?? '';
    const id = element.getAttributeNS(NAMESPACES.officeRelationships, 'id') ?? '';
    const target = relationships.get(id);
    if (target === undefined || target.isExternal) throw new OoxmlError(`the sheet ${name} has no part`);
    if (sheets.some(({ part }) => part === target.target))
      throw new OoxmlError(`the sheet ${name} has the same part as another one`);
    if (MACRO_SHEET.test(target.type)) throw new OoxmlError(`the sheet ${name} holds macros`);
    // A sheet that is a single chart, or a dialog, has no cells and is not changed.
    const isTable = target.type.endsWith('/worksheet');
    const sheet = { index: sheets.length, name, part: target.target };
    sheets.push(
      isTable
        ? await readSheet(partOf(parts, target.target), sheet, strings)
        : { ...sheet, shell: undefined, ...NO_CELLS },
    );
  }
  if (sheets.length === 0) throw new OoxmlError('the workbook has no sheet');
  return sheets;
}

const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';
/** The order of calculation, which changes, and macros, which results must not have. */
const DROPPED = /\/(?:calcChain|vbaProject)$/;

/** Removes the parts of a template that its results do not have. Results of a template with macros have no macros. */
function withoutDropped(parts: OoxmlPackage, workbookPart: string): OoxmlPackage {
  const kept = new Map(parts);
  const types = parsePart(parts, CONTENT_TYPES_PART);
  removePart(types, workbookPart);
  declarePart(types, workbookPart, WORKBOOK_TYPE);
  const part = relationshipsPartOf(workbookPart);
  const relationships = parsePart(parts, part);
  const root = rootOf(relationships);
  for (const { id, type, target } of relationshipsOf(parts, workbookPart).values()) {
    if (!DROPPED.test(type)) continue;
    kept.delete(target);
    removePart(types, target);
    for (const element of childrenOf(root)) if (element.getAttribute('Id') === id) root.removeChild(element);
  }
  return kept.set(part, writeXml(relationships)).set(CONTENT_TYPES_PART, writeXml(types));
}
