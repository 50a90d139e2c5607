import type { ReportBand, ReportDefinition } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import type { BandContext } from '../../bands/band-context.ts';
import { ancestorsBelow, type BandData } from '../../bands/band-data.ts';
import { extractBands, inPosition } from '../../bands/extract-bands.ts';
import { readBand } from '../../bands/read-band.ts';
import type { CsvValues } from '../csv/render-csv.ts';
import { inPieces } from '../in-pieces.ts';
import { positionBands } from './placing/position-bands.ts';
import { renderStreamed } from './render-streamed.ts';
import { createContext, renderXlsx, type XlsxOptions } from './render-xlsx.ts';
import { streamedBandOf } from './template/streamed-band.ts';
import type { BandRange, XlsxTemplate } from './template/xlsx-template.ts';
import { csvOfSheets } from './writing/csv-of-sheets.ts';

/** A workbook template of a report. */
export interface XlsxReportTemplate {
  readonly workbook: XlsxTemplate;
  /** The band whose rows are written while they are read. */
  readonly streamed: ReportBand | undefined;
}

/** A limit of rows, and the property that sets it. */
interface RowMaximum {
  readonly max: number;
  readonly property: string;
}

export interface XlsxReportOptions extends Omit<XlsxOptions, 'signal'> {
  /** Options of CSV; undefined for a workbook. */
  readonly csv: CsvValues | undefined;
  /** Limit of the rows of all bands together in memory. */
  readonly rows: RowMaximum;
}

/** @throws Error when a band that must be streamed cannot be */
export const xlsxReportTemplate = (
  workbook: XlsxTemplate,
  { bands, formats = {} }: Pick<ReportDefinition, 'bands' | 'formats'>,
): XlsxReportTemplate => ({ workbook, streamed: streamedBandOf(workbook, inPosition(bands), formats) });

/** The root with all rows that were read before the document is written, and the document. */
export interface XlsxReport {
  readonly root: BandData;
  readonly content: AsyncIterable<string | Uint8Array>;
}

/** Reads the bands and renders them as a workbook, or as CSV of its values. */
export async function renderXlsxReport(
  report: Pick<ReportDefinition, 'bands' | 'rootDataSets'>,
  { workbook, streamed }: XlsxReportTemplate,
  context: BandContext,
  options: XlsxReportOptions,
): Promise<XlsxReport> {
  const { csv } = options;
  const { signal } = context;
  const rendering = { ...options, signal };
  const limit = (rows: number): void => assertRows(rows, options.rows);
  if (streamed === undefined || csv !== undefined) {
    const root = await extractBands(report, context, limit);
    if (csv === undefined) return { root, content: renderXlsx(workbook, root, rendering) };
    const layout = positionBands(workbook, root, signal);
    const values = { ...(await createContext(layout, rendering)), csv };
    return { root, content: inPieces(csvOfSheets(layout, values, signal)) };
  }
  const bands = inPosition(report.bands);
  const others = bands.filter((band) => band !== streamed);
  const root = await extractBands({ ...report, bands: others }, context, limit);
  const after = new Set(bands.slice(bands.indexOf(streamed) + 1).map(({ name }) => name));
  const rows = readBand(streamed, context, [ancestorsBelow(root)]);
  const range = workbook.ranges.get(streamed.name) as BandRange;
  const content = renderStreamed({ template: workbook, root, range, after, rows }, rendering);
  return { root, content };
}

function assertRows(rows: number, { max, property }: RowMaximum): void {
  if (rows > max)
    throw new PlatformError(
      'REPORT_RUN_ERROR',
      `The report has more than the ${max} rows that a workbook of its form may have (${property}); only a report with one plain list can have more`,
    );
}
