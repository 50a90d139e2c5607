import type { Element } from '@xmldom/xmldom';
import { childrenOf, rootOf } from '../../ooxml/xml/xml.ts';

/** The elements of a worksheet in their required order (ECMA-376-1, 18.3.1.99). */
const ORDER = (
  'sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetCalcPr sheetProtection protectedRanges scenarios ' +
  'autoFilter sortState dataConsolidate customSheetViews mergeCells phoneticPr conditionalFormatting dataValidations ' +
  'hyperlinks printOptions pageMargins pageSetup headerFooter rowBreaks colBreaks customProperties cellWatches ' +
  'ignoredErrors smartTags drawing legacyDrawing legacyDrawingHF picture oleObjects controls webPublishItems ' +
  'tableParts extLst'
).split(' ');

/** Adds an element to a worksheet, at its position in the required order. */
export function insertInOrder(worksheet: Element, element: Element): void {
  const index = ORDER.indexOf(element.localName ?? '');
  const next = childrenOf(worksheet).find(({ localName }) => ORDER.indexOf(localName ?? '') > index);
  worksheet.insertBefore(element, next ?? null);
}

/** Creates an element in the namespace of the worksheet. */
export function createElement(worksheet: Element, name: string, attributes: Readonly<Record<string, string>>): Element {
  const document = worksheet.ownerDocument;
  if (document === null) throw new Error('A worksheet belongs to a document');
  const prefix = rootOf(document).prefix;
  const element = document.createElementNS(worksheet.namespaceURI, prefix ? `${prefix}:${name}` : name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  return element;
}
