import type { ReportDefinition } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import type { Display } from '@lintel/metadata';
import type { BandContext } from '../bands/band-context.ts';
import { ancestorsBelow, type BandData, firstBand } from '../bands/band-data.ts';
import { extractBands, inPosition } from '../bands/extract-bands.ts';
import { readBand, readRoot } from '../bands/read-band.ts';
import type { CompiledTemplate } from './compile-template.ts';
import { type CsvRow, renderCsv } from './csv/render-csv.ts';
import { type CellFormatter, createCellFormatter } from './formats/format-cell.ts';
import { htmlModel } from './html/html-model.ts';
import { renderHtml } from './html/html-template.ts';
import { outputName } from './output-name.ts';
import { renderXlsxReport } from './xlsx/render-xlsx-report.ts';

export interface RenderLimits {
  /** `svc.reports.html-max-rows` */
  readonly htmlMaxRows: number;
  /** `svc.reports.csv-formula-guard` */
  readonly csvFormulaGuard: boolean;
  /** `svc.reports.xlsx-max-rows` */
  readonly xlsxMaxRows: number;
}

/** A part of a document: bytes, or text that goes out as UTF-8. */
export type DocumentPiece = string | Uint8Array;

export interface RenderedReport {
  readonly fileName: string;
  readonly content: AsyncIterable<DocumentPiece>;
}

/** Reads the bands and renders them with the formatter of the template. CSV is streamed. */
export async function renderReport(
  report: ReportDefinition,
  template: CompiledTemplate,
  context: BandContext,
  locale: Display,
  limits: RenderLimits,
): Promise<RenderedReport> {
  const formatter = createCellFormatter(report.formats ?? {}, locale);
  switch (template.kind) {
    case 'csv': {
      const root = await readRoot(report.rootDataSets, context);
      const options = { formatter, formulaGuard: limits.csvFormulaGuard };
      return {
        fileName: outputName(template.definition, valuesIn(root, formatter)),
        content: renderCsv(template.csv, firstLevelRows(report, root, context), options),
      };
    }
    case 'html': {
      const root = await extractBands(report, context, (rows) => assertHtmlRows(rows, limits.htmlMaxRows));
      const html = await renderHtml(template.html, htmlModel(root, formatter, locale), locale);
      return { fileName: outputName(template.definition, valuesIn(root, formatter)), content: once(html) };
    }
    case 'xlsx': {
      const { outputType } = template.definition;
      const output = outputType === 'CSV' ? 'CSV' : 'XLSX';
      const options = { formatter, output, maxRows: limits.xlsxMaxRows } as const;
      const { root, content } = await renderXlsxReport(report, template.xlsx, context, options);
      return { fileName: outputName(template.definition, valuesIn(root, formatter)), content };
    }
    default:
      return template satisfies never;
  }
}

/** Rows of all first-level bands, in band order, without placeholders; nested bands are not read at all. */
async function* firstLevelRows(report: ReportDefinition, root: BandData, context: BandContext): AsyncGenerator<CsvRow> {
  const parents = [ancestorsBelow(root)];
  for (const band of inPosition(report.bands))
    for await (const { fields, isPlaceholder } of readBand(band, context, parents))
      if (!isPlaceholder) yield { band: band.name, fields };
}

function assertHtmlRows(rows: number, most: number): void {
  if (rows > most)
    throw new PlatformError('REPORT_RUN_ERROR', `The report has more than the ${most} rows that HTML output may have`);
}

/** Texts of fields of the first instance of a band, found depth first. */
const valuesIn =
  (root: BandData, formatter: CellFormatter) =>
  (band: string, field: string): string | undefined => {
    const cell = firstBand(root, band)?.data.get(field);
    return cell === undefined ? undefined : formatter.format(band, field, cell);
  };

async function* once(piece: DocumentPiece): AsyncGenerator<DocumentPiece> {
  yield piece;
}
