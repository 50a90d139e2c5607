import type { BandData } from '../../bands/band-data.ts';
import type { CellFormatter } from '../formats/format-cell.ts';
import { loadPictures } from '../images/load-pictures.ts';
import type { PictureSource } from '../images/picture-source.ts';
import { inPieces } from '../in-pieces.ts';
import { CONTENT_TYPES_PART } from '../ooxml/content-types.ts';
import { type OoxmlPackage, partOf } from '../ooxml/ooxml-package.ts';
import { relatedPart } from '../ooxml/relationships.ts';
import { ElementBudget } from '../ooxml/xml/element-budget.ts';
import { type ZipEntry, zipStream } from '../ooxml/zip/zip-stream.ts';
import { textsOfFirst } from '../report-bands.ts';
import { type AddedPictures, addPictures } from './parts/add-pictures.ts';
import { editComments } from './parts/edit-comments.ts';
import { editDrawings } from './parts/edit-drawings.ts';
import { editTables } from './parts/edit-tables.ts';
import { editWorkbook } from './parts/edit-workbook.ts';
import { placedPictures } from './parts/placed-pictures.ts';
import type { ResultContext } from './parts/result-context.ts';
import { SharedStringBook } from './parts/shared-strings.ts';
import { sheetHead, sheetTail } from './parts/sheet-frame.ts';
import { sheetNamesOf } from './parts/sheet-names.ts';
import { StyleBook } from './parts/style-book.ts';
import type { Layout } from './placing/layout.ts';
import { positionBands } from './placing/position-bands.ts';
import type { SheetTemplate, XlsxTemplate } from './template/xlsx-template.ts';
import { rowXml } from './writing/result-rows.ts';

export interface XlsxOptions {
  /** Loads the pictures of cells. */
  readonly pictures: PictureSource;
  readonly formatter: CellFormatter;
  readonly signal: AbortSignal;
  /** Elements of a document. */
  readonly maxElements: number;
  /** Logs what the workbook lacks. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** Renders a workbook from a template and the rows of all bands (contract/report-templates.md#xlsx). */
export async function* renderXlsx(
  template: XlsxTemplate,
  root: BandData,
  options: XlsxOptions,
): AsyncGenerator<Uint8Array> {
  const layout = positionBands(template, root, options.signal);
  const context = await createContext(layout, options, await picturesOf(layout, options));
  const sheet = (one: SheetTemplate) => () => sheetXml(one, layout, context, options.signal);
  yield* zipStream(entriesOf(template, context, sheet));
}

async function picturesOf(layout: Layout, { formatter, pictures }: XlsxOptions): Promise<AddedPictures | undefined> {
  const placed = placedPictures(layout, formatter);
  if (placed.length === 0) return undefined;
  const requests = placed.map(({ request }) => request);
  return addPictures(layout.template.parts, placed, await loadPictures(requests, pictures, 'xl/media'));
}

export async function* sheetXml(
  sheet: SheetTemplate,
  layout: Layout,
  context: ResultContext,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield await sheetHead(sheet, layout);
  yield* inPieces(rowsXml(sheet, 1, layout, context, signal));
  yield* inPieces(sheetTail(sheet, context, signal));
}

/** Writes the rows of a sheet from one row to another, or to the last one. */
export function* rowsXml(
  sheet: SheetTemplate,
  from: number,
  layout: Layout,
  context: ResultContext,
  signal: AbortSignal,
  to = layout.usedRows(sheet),
): Generator<string> {
  for (let row = from; row <= to; row += 1) {
    const placements = layout.placementsIn(sheet, row);
    if (placements.length === 0) continue;
    signal.throwIfAborted();
    yield rowXml(row, placements, context);
  }
}

export async function createContext(
  layout: Layout,
  { formatter, maxElements, warn }: Pick<XlsxOptions, 'formatter' | 'maxElements' | 'warn'>,
  added?: AddedPictures,
): Promise<ResultContext> {
  const { template, root } = layout;
  const textOf = textsOfFirst(root, formatter);
  return {
    layout,
    formatter,
    textOf,
    warn,
    parts: added?.parts ?? template.parts,
    pictures: added?.sheets ?? new Map(),
    sheetNames: sheetNamesOf(template.sheets, textOf),
    budget: new ElementBudget(maxElements),
    sharedStrings: new SharedStringBook(template.sharedStrings),
    styles: await StyleBook.open(template.parts, relatedPart(template.parts, template.workbookPart, 'styles')),
  };
}

/**
 * Yields the parts of the result. Sheets come before the parts that depend on them: formats of hints, shared strings,
 * and references to bands.
 *
 * @param sheets returns the content of a sheet
 * @param first a sheet that must be written before the others
 */
export function* entriesOf(
  template: XlsxTemplate,
  context: ResultContext,
  sheets: (sheet: SheetTemplate) => ZipEntry['content'],
  first?: SheetTemplate,
): Generator<ZipEntry> {
  const { workbookPart } = template;
  const { parts, sharedStrings } = context;
  let edited: Promise<OoxmlPackage> | undefined;
  const editedPart = async (name: string): Promise<Uint8Array> => {
    edited ??= editedParts(parts, workbookPart, context);
    return (await edited).get(name) ?? partOf(parts, name);
  };
  const tables = template.sheets.filter(({ shell }) => shell !== undefined);
  const ordered = tables.toSorted((one, other) => Number(other === first) - Number(one === first));
  const sheetParts = new Set(tables.map(({ part }) => part));
  const others = [...parts.keys()].filter((name) => !sheetParts.has(name) && name !== CONTENT_TYPES_PART);
  // Readers determine the kind of a file by its first part, which does not depend on the rows.
  yield { name: CONTENT_TYPES_PART, content: () => single(partOf(parts, CONTENT_TYPES_PART)) };
  for (const sheet of ordered) yield { name: sheet.part, content: sheets(sheet) };
  for (const name of others)
    yield {
      name,
      content: () => (name === sharedStrings.part ? inPieces(sharedStrings.xml()) : single(editedPart(name))),
    };
}

async function editedParts(parts: OoxmlPackage, workbookPart: string, context: ResultContext): Promise<OoxmlPackage> {
  const styles = await context.styles.changedPart();
  const changed = new Map([[workbookPart, await editWorkbook(parts, workbookPart, context)]]);
  for (const edits of [
    editDrawings(parts, context),
    editTables(parts, workbookPart, context),
    editComments(parts, context),
  ])
    for await (const [name, content] of edits) changed.set(name, content);
  return styles === undefined ? changed : changed.set(styles.name, styles.bytes);
}

async function* single(content: Uint8Array | Promise<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield await content;
}
