import type { ReportDefinition, ReportRenderer } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import type { Display } from '@lintel/metadata';
import type { BandContext } from '../bands/band-context.ts';
import { ancestorsBelow, type BandData } from '../bands/band-data.ts';
import { extractBands, inPosition } from '../bands/extract-bands.ts';
import { readBand, readRoot } from '../bands/read-band.ts';
import type { CompiledTemplate, TemplateLimits } from './compile-template.ts';
import type { DocumentConverters, OfficeSource } from './converting/document-converters.ts';
import { type CsvRow, renderCsv } from './csv/render-csv.ts';
import { renderDocx } from './docx/render-docx.ts';
import { type CellFormatter, createCellFormatter, machineText } from './formats/format-cell.ts';
import { embedPictures } from './html/embed-pictures.ts';
import { htmlModel } from './html/html-model.ts';
import { type LiquidLimits, type LiquidTemplate, renderLiquid } from './html/liquid-template.ts';
import { withTitle } from './html/with-title.ts';
import type { PictureSource } from './images/picture-source.ts';
import { inPieces } from './in-pieces.ts';
import { outputName } from './output-name.ts';
import { bandNamesOf, bandRowOf, textsOfFirst } from './report-bands.ts';
import { renderXlsxReport } from './xlsx/render-xlsx-report.ts';

export interface RenderLimits {
  /** `svc.reports.html-max-rows` */
  readonly htmlMaxRows: number;
  readonly liquid: LiquidLimits;
  readonly template: TemplateLimits;
  /** Time of one JSONPath. */
  readonly maxPathMs: number;
  /** Cells of all cross tables. */
  readonly maxCells: number;
  /** Size of all pictures of a document. */
  readonly maxPicturesBytes: number;
  /** `svc.reports.csv-formula-guard` */
  readonly csvFormulaGuard: boolean;
  /** Elements of a document. */
  readonly maxElements: number;
  /** `svc.reports.xlsx-max-rows` */
  readonly xlsxMaxRows: number;
}

/** A part of a document: bytes, or text that is sent as UTF-8. */
export type DocumentPiece = string | Uint8Array;

export interface RenderedReport {
  readonly fileName: string;
  readonly content: AsyncIterable<DocumentPiece>;
}

/** Context of the rendering of one run, besides its data. */
export interface RenderContext {
  readonly locale: Display;
  readonly limits: RenderLimits;
  readonly converters: DocumentConverters;
  readonly pictures: PictureSource;
  /** Logs what the document lacks. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** Reads the bands and renders them with the formatter of the template. CSV is streamed. */
export async function renderReport(
  report: ReportDefinition,
  template: CompiledTemplate,
  bands: BandContext,
  context: RenderContext,
): Promise<RenderedReport> {
  const { limits, locale } = context;
  const formatter = createCellFormatter(report.formats ?? {}, locale);
  const forPrograms = createCellFormatter(report.formats ?? {}, locale, machineText);
  const { definition } = template;
  if (template.kind === 'csv') {
    const root = await readRoot(report.rootDataSets, bands);
    const names = template.csv.columns.map(({ name }) => name);
    const options = { formatter: forPrograms, formulaGuard: limits.csvFormulaGuard };
    return {
      fileName: outputName(definition, textsOfFirst(root, formatter)),
      content: inPieces(renderCsv(template.csv, firstLevelRows(report, root, bands, names), options)),
    };
  }
  if (template.kind === 'xlsx') return renderWorkbook(report, template, { formatter, forPrograms }, bands, context);
  const root = await extractBands(report, bands, (rows) => assertRows(rows, limits.htmlMaxRows, definition.outputType));
  const fileName = outputName(definition, textsOfFirst(root, formatter));
  const input = { root, formatter, bands, context };
  switch (template.kind) {
    case 'liquid':
      return {
        fileName,
        content: single(await liquidDocument(template.liquid, definition.outputType, fileName, input)),
      };
    case 'docx': {
      const { signal } = bands;
      const { pictures } = context;
      const { maxElements } = limits;
      const bandNames = bandNamesOf(report.bands);
      const document = await renderDocx(template.docx, { root, formatter, bandNames, pictures, signal, maxElements });
      return {
        fileName,
        content: single(await officeDocument(document, 'docx', definition.outputType, bands.signal, context)),
      };
    }
    case 'code':
      return { fileName, content: single(await codeDocument(template.render, input)) };
    default:
      return template satisfies never;
  }
}

interface RenderInput {
  readonly root: BandData;
  readonly formatter: CellFormatter;
  readonly bands: BandContext;
  readonly context: RenderContext;
}

async function liquidDocument(
  template: LiquidTemplate,
  outputType: string,
  fileName: string,
  input: RenderInput,
): Promise<DocumentPiece> {
  const { root, formatter, bands, context } = input;
  const pictures = await embedPictures(root, formatter, context.pictures);
  const model = htmlModel(root, formatter, context.locale, pictures);
  const text = await renderLiquid(template, model, context.locale, context.limits.liquid, bands.signal);
  return outputType === 'PDF' ? context.converters.printHtml(withTitle(text, fileName), bands.signal) : text;
}

/** Returns the document, or its conversion by LibreOffice. */
async function officeDocument(
  document: Uint8Array,
  from: OfficeSource,
  outputType: string,
  signal: AbortSignal,
  { converters }: RenderContext,
): Promise<Uint8Array> {
  if (!isConverted(outputType)) return document;
  return converters.convertOffice(document, from, outputType === 'PDF' ? 'pdf' : 'html', signal);
}

const isConverted = (outputType: string): boolean => outputType === 'PDF' || outputType === 'HTML';

/** Streams a workbook where that is possible; one that LibreOffice converts is collected in memory. */
async function renderWorkbook(
  report: ReportDefinition,
  { definition, xlsx }: CompiledTemplate & { readonly kind: 'xlsx' },
  { formatter, forPrograms }: { readonly formatter: CellFormatter; readonly forPrograms: CellFormatter },
  bands: BandContext,
  context: RenderContext,
): Promise<RenderedReport> {
  const { outputType } = definition;
  const { xlsxMaxRows, htmlMaxRows, maxElements } = context.limits;
  const isWhole = isConverted(outputType);
  const { root, content } = await renderXlsxReport(report, isWhole ? { ...xlsx, streamed: undefined } : xlsx, bands, {
    formatter: outputType === 'CSV' ? forPrograms : formatter,
    pictures: context.pictures,
    warn: context.warn,
    maxElements,
    csv: outputType === 'CSV' ? { formulaGuard: context.limits.csvFormulaGuard } : undefined,
    rows:
      isWhole && htmlMaxRows < xlsxMaxRows
        ? { max: htmlMaxRows, property: 'svc.reports.html-max-rows' }
        : { max: xlsxMaxRows, property: 'svc.reports.xlsx-max-rows' },
  });
  const fileName = outputName(definition, textsOfFirst(root, formatter));
  if (!isWhole) return { fileName, content };
  const workbook = Buffer.concat((await Array.fromAsync(content)).map((piece) => Buffer.from(piece)));
  return { fileName, content: single(await officeDocument(workbook, 'xlsx', outputType, bands.signal, context)) };
}

async function codeDocument(render: ReportRenderer, { root, bands, context }: RenderInput): Promise<DocumentPiece> {
  const { parameters, signal } = bands;
  return render({ root: bandRowOf(root), parameters, locale: context.locale.locale, signal });
}

/**
 * Reads the rows of all first-level bands, in band order, without placeholders; nested bands are not read. A band
 * without data sets and without any of the columns is skipped: it is the header of another template.
 */
async function* firstLevelRows(
  report: ReportDefinition,
  root: BandData,
  context: BandContext,
  columns: readonly string[],
): AsyncGenerator<CsvRow> {
  const parents = [ancestorsBelow(root)];
  const hasColumn = columns.some((column) => context.parameterFields.has(column));
  for (const band of inPosition(report.bands)) {
    if (band.orientation === 'cross' || ((band.dataSets ?? []).length === 0 && !hasColumn)) continue;
    for await (const { fields, isPlaceholder } of readBand(band, context, parents))
      if (!isPlaceholder) yield { band: band.name, fields };
  }
}

function assertRows(rows: number, maxRows: number, outputType: string): void {
  if (rows > maxRows)
    throw new PlatformError(
      'REPORT_RUN_ERROR',
      `The report has more than the ${maxRows} rows that ${outputType} output may have (svc.reports.html-max-rows)`,
    );
}

async function* single(piece: DocumentPiece): AsyncGenerator<DocumentPiece> {
  yield piece;
}
