import type { OoxmlPackage } from '../../ooxml/ooxml-package.ts';
import { relationshipsOf } from '../../ooxml/relationships.ts';
import { parsePartInSlices } from '../../ooxml/xml/parse-xml-in-slices.ts';
import { writeXmlInSlices } from '../../ooxml/xml/write-xml-in-slices.ts';
import { childOf, rootOf } from '../../ooxml/xml/xml.ts';
import { areaText, parseArea } from '../cells/area.ts';
import { mapArea } from '../placing/map-area.ts';
import type { SheetTemplate } from '../template/xlsx-template.ts';
import type { ResultContext } from './result-context.ts';

/** Extends tables and the sources of pivot tables over all copies of the bands that they touch. */
export async function editTables(
  parts: OoxmlPackage,
  workbookPart: string,
  context: ResultContext,
): Promise<OoxmlPackage> {
  const changed = new Map<string, Uint8Array>();
  for (const sheet of context.layout.template.sheets)
    for (const part of related(parts, sheet.part, '/table'))
      changed.set(part, await growTable(parts, part, sheet, context));
  for (const part of related(parts, workbookPart, '/pivotCacheDefinition'))
    changed.set(part, await growPivotSource(parts, part, context));
  return changed;
}

const related = (parts: OoxmlPackage, part: string, type: string): readonly string[] =>
  [...relationshipsOf(parts, part).values()]
    .filter((one) => one.type.endsWith(type) && parts.has(one.target))
    .map(({ target }) => target);

async function growTable(
  parts: OoxmlPackage,
  part: string,
  sheet: SheetTemplate,
  { layout }: ResultContext,
): Promise<Uint8Array> {
  const document = await parsePartInSlices(parts, part);
  const root = rootOf(document);
  for (const element of [root, childOf(root, 'autoFilter')]) {
    const area = parseArea(element?.getAttribute('ref') ?? '');
    const mapped = area && mapArea(layout, sheet, area, undefined);
    if (element === undefined || mapped?.kind !== 'moved') continue;
    // A table has at least one row below its header.
    const { all } = mapped;
    element.setAttribute('ref', areaText({ ...all, bottom: Math.max(all.bottom, all.top + 1) }));
  }
  return writeXmlInSlices(document);
}

async function growPivotSource(
  parts: OoxmlPackage,
  part: string,
  { layout, sheetNames }: ResultContext,
): Promise<Uint8Array> {
  const document = await parsePartInSlices(parts, part);
  const root = rootOf(document);
  const cacheSource = childOf(root, 'cacheSource');
  const source = cacheSource && childOf(cacheSource, 'worksheetSource');
  const name = source?.getAttribute('sheet');
  const sheet = layout.template.sheets.find((one) => one.name === name);
  if (source !== undefined && sheet !== undefined) {
    source.setAttribute('sheet', sheetNames[sheet.index] ?? sheet.name);
    const area = parseArea(source.getAttribute('ref') ?? '');
    const mapped = area && mapArea(layout, sheet, area, undefined);
    if (mapped?.kind === 'moved') source.setAttribute('ref', areaText(mapped.all));
  }
  root.setAttribute('refreshOnLoad', '1');
  return writeXmlInSlices(document);
}
