import { readFileSync } from 'node:fs';
import type { ReportBand } from '@lintel/application';
import { createMessages, displayIn } from '@lintel/metadata';
import type { BandData } from '../src/bands/band-data.ts';
import { createCellFormatter } from '../src/rendering/formats/format-cell.ts';
import type { PictureSource } from '../src/rendering/images/picture-source.ts';
import type { OoxmlPackage } from '../src/rendering/ooxml/ooxml-package.ts';
import { readPackage } from '../src/rendering/ooxml/read-package.ts';
import { childOf, childrenOf, parsePart, rootOf } from '../src/rendering/ooxml/xml/xml.ts';
import { renderXlsx } from '../src/rendering/xlsx/render-xlsx.ts';
import { parseXlsxTemplate } from '../src/rendering/xlsx/template/parse-xlsx-template.ts';
import { type WorkbookDefinition, workbook } from './drawn-workbook.ts';

export interface RenderedWorkbook {
  readonly bytes: Uint8Array;
  readonly parts: OoxmlPackage;
  /** Text of a part. */
  readonly part: (name: string) => string;
  /** Cells of a sheet by place: their value, or `=` and their formula. */
  readonly cells: (sheet?: number) => Readonly<Record<string, string>>;
}

/** Bands of a report that has the bands of a tree; those below others are found too. */
export const bandsOf = (root: BandData): readonly ReportBand[] => {
  const names = new Set<string>();
  const visit = (data: BandData): void => {
    for (const [name, rows] of data.children) {
      names.add(name);
      rows.forEach(visit);
    }
  };
  visit(root);
  return [...names].map((name) => ({ name }));
};

export const formatterOf = (formats: Readonly<Record<string, string>> = {}) =>
  createCellFormatter(formats, displayIn(createMessages(), 'en'));

/** A picture of two by one pixels. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGP4z8DwHwyBNAMAQPEH+Q3Cc5sAAAAASUVORK5CYII=',
  'base64',
);

/** Answers the same picture for everything. */
export const PICTURES: PictureSource = { load: async () => PNG, maxTotalBytes: 10_000_000 };

/** Renders a tree with a template and reads the result. */
export async function renderWorkbook(
  template: WorkbookDefinition,
  root: BandData,
  formats: Readonly<Record<string, string>> = {},
  maxElements = 250_000,
): Promise<RenderedWorkbook> {
  return renderFile(workbook(template), root, formats, maxElements);
}

/** Renders a tree with a template that another program has written. */
export async function renderFile(
  template: Uint8Array,
  root: BandData,
  formats: Readonly<Record<string, string>> = {},
  maxElements = 250_000,
): Promise<RenderedWorkbook> {
  const parsed = await parseXlsxTemplate(template, bandsOf(root));
  const { signal } = new AbortController();
  const options = { formatter: formatterOf(formats), pictures: PICTURES, signal, maxElements };
  return readWorkbook(Buffer.concat(await Array.fromAsync(renderXlsx(parsed, root, options))));
}

/** A template of the folder `cases`. */
export const caseOf = (name: string): Uint8Array => readFileSync(new URL(`./cases/${name}`, import.meta.url));

/** Reads a workbook of plain parts. */
export async function readWorkbook(bytes: Uint8Array): Promise<RenderedWorkbook> {
  const parts = await readPackage(bytes);
  const part = (name: string): string => new TextDecoder().decode(parts.get(name));
  return { bytes, parts, part, cells: (sheet = 1) => cellsOf(parts, `xl/worksheets/sheet${sheet}.xml`) };
}

function cellsOf(parts: OoxmlPackage, name: string): Readonly<Record<string, string>> {
  const cells: Record<string, string> = {};
  const shared = parts.has('xl/sharedStrings.xml') ? childrenOf(rootOf(parsePart(parts, 'xl/sharedStrings.xml'))) : [];
  const strings = shared.map(({ textContent }) => textContent);
  const data = childOf(rootOf(parsePart(parts, name)), 'sheetData');
  for (const row of data === undefined ? [] : childrenOf(data))
    for (const cell of childrenOf(row)) {
      const formula = childOf(cell, 'f');
      const value = cell.textContent ?? '';
      const text = cell.getAttribute('t') === 's' ? (strings[Number(value)] ?? '') : value;
      cells[cell.getAttribute('r') ?? ''] = formula === undefined ? text : `=${formula.textContent}`;
    }
  return cells;
}
