import type { ReportBand } from '@lintel/application';
import { withoutOutside } from '../../ooxml/assert-inert.ts';
import { OoxmlError, type OoxmlPackage, partOf } from '../../ooxml/ooxml-package.ts';
import { readPackage } from '../../ooxml/read-package.ts';
import { mainPartOf, relatedPart, relationshipsOf } from '../../ooxml/relationships.ts';
import { childOf, childrenOf, NAMESPACES, parsePart, parseXml, rootOf } from '../../ooxml/xml.ts';
import { readSharedStrings } from './cell-text.ts';
import { assertCrossBands, bandNamesOf } from './check-ranges.ts';
import { withoutDropped } from './drop-parts.ts';
import { readNames } from './read-names.ts';
import { readSheet } from './read-sheet.ts';
import type { SheetTemplate, XlsxTemplate } from './xlsx-template.ts';

/**
 * Reads a workbook template and checks it against the bands of its report.
 *
 * @throws Error that says what is wrong with the workbook, or what its names do not say
 */
export async function parseXlsxTemplate(bytes: Uint8Array, bands: readonly ReportBand[]): Promise<XlsxTemplate> {
  const packed = await readPackage(bytes);
  const workbookPart = mainPartOf(packed);
  const parts = withoutOutside(withoutDropped(packed, workbookPart));
  assertWellFormed(parts);
  const workbook = rootOf(parsePart(parts, workbookPart));
  if (workbook.localName !== 'workbook') throw new OoxmlError('the file is no workbook');
  const sharedStrings = readSharedStrings(parts, relatedPart(parts, workbookPart, 'sharedStrings'));
  const sheets = readSheets(parts, workbookPart, sharedStrings);
  const { ranges, hints } = readNames(workbook, sheets, new Set(bandNamesOf(bands)));
  if (ranges.size === 0)
    throw new Error('the workbook has no named range with the name of a band, so nothing would be shown');
  assertCrossBands(bands, ranges);
  const properties = childOf(workbook, 'workbookPr');
  const isCalendarOf1904 = ['1', 'true'].includes(properties?.getAttribute('date1904') ?? '');
  return { parts, workbookPart, sheets, ranges, hints, isCalendarOf1904 };
}

/** Every part is looked at once, when the definition is loaded, so that no run meets a broken one. */
function assertWellFormed(parts: OoxmlPackage): void {
  for (const [name, bytes] of parts) if (/\.(?:xml|rels)$/i.test(name)) parseXml(bytes, name);
}

function readSheets(
  parts: OoxmlPackage,
  workbookPart: string,
  sharedStrings: readonly string[],
): readonly SheetTemplate[] {
  const relationships = relationshipsOf(parts, workbookPart);
  const workbook = rootOf(parsePart(parts, workbookPart));
  const sheets: SheetTemplate[] = [];
  for (const element of childrenOf(childOf(workbook, 'sheets') ?? workbook, 'sheet')) {
    const name = element.getAttribute('name') ?? '';
    const id = element.getAttributeNS(NAMESPACES.officeRelationships, 'id') ?? '';
    const target = relationships.get(id);
    if (target === undefined || target.isExternal) throw new OoxmlError(`the sheet ${name} has no part`);
    // A sheet that is a single chart, or a dialog, has no cells; it stays as it is.
    const isTable = target.type.endsWith('/worksheet');
    const sheet = { index: sheets.length, name, part: target.target };
    sheets.push(
      isTable
        ? readSheet(partOf(parts, target.target), sheet, sharedStrings)
        : { ...sheet, shell: undefined, rows: new Map(), columns: [], merges: [], breaks: new Set() },
    );
  }
  if (sheets.length === 0) throw new OoxmlError('the workbook has no sheet');
  return sheets;
}
