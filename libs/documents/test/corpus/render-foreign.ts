import type { ReportBand } from '@lintel/application';
import type { BandData } from '../../src/bands/band-data.ts';
import { compileTemplate } from '../../src/rendering/compile-template.ts';
import { renderDocx } from '../../src/rendering/docx/render-docx.ts';
import type { OoxmlPackage } from '../../src/rendering/ooxml/ooxml-package.ts';
import { readPackage } from '../../src/rendering/ooxml/read-package.ts';
import { mainPartOf, relationshipsOf } from '../../src/rendering/ooxml/relationships.ts';
import { writePackage } from '../../src/rendering/ooxml/write-package.ts';
import { childOf, childrenOf, NAMESPACES, parsePart, rootOf, writeXml } from '../../src/rendering/ooxml/xml/xml.ts';
import { MAX_ROWS, parseArea } from '../../src/rendering/xlsx/cells/area.ts';
import { createElement } from '../../src/rendering/xlsx/parts/sheet-order.ts';
import { renderXlsx } from '../../src/rendering/xlsx/render-xlsx.ts';
import { bandTree } from '../band-tree.ts';
import { formatterOf, PICTURES } from '../xlsx-result.ts';

type Element = ReturnType<typeof rootOf>;

/** A document as a template, with data for it. */
export interface ForeignTemplate {
  readonly bytes: Uint8Array;
  readonly root: BandData;
  readonly bands: readonly ReportBand[];
}

/**
 * Makes a template of a document: each sheet belongs to one band with one row. With copies, the row in the middle of
 * each sheet and of the first table is a band with three rows.
 */
export async function templateOf(
  bytes: Uint8Array,
  kind: 'xlsx' | 'docx',
  hasCopies: boolean,
): Promise<ForeignTemplate> {
  if (kind === 'xlsx') return workbookTemplate(await readPackage(bytes), hasCopies);
  const rows = [{ fields: { x: 1 } }, { fields: { x: 2 } }, { fields: { x: 3 } }];
  return {
    bytes: hasCopies ? await withBoundTable(await readPackage(bytes)) : bytes,
    root: bandTree(hasCopies ? { Copies: rows } : {}),
    bands: [{ name: 'Copies' }],
  };
}

async function workbookTemplate(parts: OoxmlPackage, hasCopies: boolean): Promise<ForeignTemplate> {
  const workbookPart = mainPartOf(parts);
  const document = parsePart(parts, workbookPart);
  const root = rootOf(document);
  let names = childOf(root, 'definedNames');
  if (names === undefined) {
    names = createElement(root, 'definedNames', {});
    const before = ['externalReferences', 'functionGroups', 'sheets'].map((name) => childOf(root, name));
    root.insertBefore(names, before.find((element) => element !== undefined)?.nextSibling ?? null);
  }
  const rows: Record<string, Record<string, never>[]> = {};
  const relationships = relationshipsOf(parts, workbookPart);
  for (const [index, sheet] of childrenOf(childOf(root, 'sheets') ?? root).entries()) {
    const part = relationships.get(sheet.getAttributeNS(NAMESPACES.officeRelationships, 'id') ?? '');
    if (part?.type.endsWith('/worksheet') !== true) continue;
    const last = lastRow(rootOf(parsePart(parts, part.target)));
    const title = `'${(sheet.getAttribute('name') ?? '').replaceAll("'", "''")}'`;
    const middle = hasCopies && last > 2 ? Math.ceil(last / 2) : last + 1;
    const bands =
      middle > last
        ? [[1, last, 1]]
        : [
            [1, middle - 1, 1],
            [middle, middle, 3],
            [middle + 1, last, 1],
          ];
    for (const [band, [first = 1, end = 1, count = 1]] of bands.entries()) {
      const name = createElement(root, 'definedName', { name: `Lintel_${index}_${band}` });
      // Tables and formats may reach below the last row.
      name.textContent = `${title}!$A$${first}:$XFD$${end < last ? end : Math.min(end + 100, MAX_ROWS)}`;
      names.appendChild(name);
      rows[`Lintel_${index}_${band}`] = Array.from({ length: count }, () => ({}));
    }
  }
  const named = new Map(parts).set(workbookPart, writeXml(document));
  return { bytes: await writePackage(named), root: bandTree(rows), bands: Object.keys(rows).map((name) => ({ name })) };
}

/** The last row that a sheet names anywhere. */
const lastRow = (sheet: Element): number =>
  Math.max(
    1,
    ...childrenOf(childOf(sheet, 'sheetData') ?? sheet).map((row, index) => Number(row.getAttribute('r') ?? index + 1)),
    ...childrenOf(childOf(sheet, 'mergeCells') ?? sheet).map(
      (merge) => parseArea(merge.getAttribute('ref') ?? '')?.bottom ?? 1,
    ),
  );

/** Binds the first table with two rows, if there is one. */
async function withBoundTable(parts: OoxmlPackage): Promise<Uint8Array> {
  const part = mainPartOf(parts);
  const document = parsePart(parts, part);
  for (const table of document.getElementsByTagNameNS('*', 'tbl')) {
    const rows = childrenOf(table).filter(({ localName }) => localName === 'tr');
    const [first, second] = rows.map((row) => row.getElementsByTagNameNS('*', 'p')[0]);
    if (first === undefined || second === undefined) continue;
    addText(first, '##band=Copies ');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an alias looks like a placeholder
    addText(second, '${x}');
    break;
  }
  return writePackage(new Map(parts).set(part, writeXml(document)));
}

function addText(paragraph: Element, content: string): void {
  const text = createElement(paragraph, 't', {});
  text.textContent = content;
  const run = createElement(paragraph, 'r', {});
  run.appendChild(text);
  paragraph.appendChild(run);
}

/** Renders a template as a run does; throws what refuses it. */
export async function renderForeign(
  { bytes, bands, root }: ForeignTemplate,
  kind: 'xlsx' | 'docx',
): Promise<Uint8Array> {
  const outputType = kind === 'docx' ? 'DOCX' : 'XLSX';
  const definition = { code: 'T', file: `t.${kind}`, outputType } as const;
  const compiled = await compileTemplate(definition, async () => bytes, { bands }, { maxTags: 100 });
  const { signal } = new AbortController();
  const options = { root, formatter: formatterOf(), pictures: PICTURES, signal, maxElements: 5_000_000 };
  if (compiled.kind === 'docx')
    return renderDocx(compiled.docx, { ...options, bandNames: new Set(bands.map(({ name }) => name)) });
  if (compiled.kind !== 'xlsx') throw new Error(`${compiled.kind} is no document`);
  return Buffer.concat(await Array.fromAsync(renderXlsx(compiled.xlsx.workbook, root, options)));
}
