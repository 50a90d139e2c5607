import type { Element } from '@xmldom/xmldom';
import { childrenOf } from '../../ooxml/xml/xml.ts';
import { areaText, parseArea } from '../cells/area.ts';
import type { Layout } from '../placing/layout.ts';
import { mapArea } from '../placing/map-area.ts';
import type { SheetTemplate } from '../template/xlsx-template.ts';

/** Elements of filters and tables that have references of their own. */
const NESTED = new Set(['autoFilter', 'sortState', 'sortCondition']);

/** Extends the attribute `ref` of a filter, table or source over all copies of its bands. */
export function growReference(element: Element, sheet: SheetTemplate, layout: Layout): void {
  const area = parseArea(element.getAttribute('ref') ?? '');
  const mapped = area && mapArea(layout, sheet, area, undefined);
  if (mapped?.kind === 'moved') element.setAttribute('ref', areaText(mapped.all));
  for (const child of childrenOf(element)) if (NESTED.has(child.localName ?? '')) growReference(child, sheet, layout);
}
