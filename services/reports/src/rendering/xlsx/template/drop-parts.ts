import { CONTENT_TYPES_PART, declarePart, forgetPart } from '../../ooxml/content-types.ts';
import type { OoxmlPackage } from '../../ooxml/ooxml-package.ts';
import { relationshipsOf, relationshipsPartOf } from '../../ooxml/relationships.ts';
import { childrenOf, parsePart, rootOf, writeXml } from '../../ooxml/xml.ts';

const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';
/** The order of calculation, which will be another one, and macros, which never go out. */
const DROPPED = /\/(?:calcChain|vbaProject)$/;

/** The parts of a template that its results have too. A template with macros gives workbooks without. */
export function withoutDropped(parts: OoxmlPackage, workbookPart: string): OoxmlPackage {
  const kept = new Map(parts);
  const types = parsePart(parts, CONTENT_TYPES_PART);
  forgetPart(types, workbookPart);
  declarePart(types, workbookPart, WORKBOOK_TYPE);
  const part = relationshipsPartOf(workbookPart);
  const relationships = parsePart(parts, part);
  const root = rootOf(relationships);
  for (const { id, type, target } of relationshipsOf(parts, workbookPart).values()) {
    if (!DROPPED.test(type)) continue;
    kept.delete(target);
    forgetPart(types, target);
    for (const element of childrenOf(root)) if (element.getAttribute('Id') === id) root.removeChild(element);
  }
  return kept.set(part, writeXml(relationships)).set(CONTENT_TYPES_PART, writeXml(types));
}
