import { CONTENT_TYPES_PART, declarePart, removePart } from '../../ooxml/content-types.ts';
import type { OoxmlPackage } from '../../ooxml/ooxml-package.ts';
import { relationshipsOf, relationshipsPartOf } from '../../ooxml/relationships.ts';
import { childrenOf, parsePart, rootOf, writeXml } from '../../ooxml/xml/xml.ts';

const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';
/** The order of calculation, which changes, and macros, which results must not have. */
const DROPPED = /\/(?:calcChain|vbaProject)$/;

/** Removes the parts of a template that its results do not have. Results of a template with macros have no macros. */
export function withoutDropped(parts: OoxmlPackage, workbookPart: string): OoxmlPackage {
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
