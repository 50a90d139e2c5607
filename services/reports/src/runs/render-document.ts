import type { ReportParameters } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import { displayIn } from '@lintel/metadata';
import type { BandContext } from '../bands/band-context.ts';
import type { Fields } from '../bands/cell.ts';
import { cellOfParameter } from '../bands/cells-of-row.ts';
import type { LoadedReport } from '../definitions/report-catalogue.ts';
import { contentTypeOf } from '../rendering/output-type.ts';
import { type DocumentPiece, renderReport } from '../rendering/render-report.ts';
import type { PreparedRun } from './prepare-run.ts';
import { toRunError } from './run-error.ts';
import type { RunInput, RunPorts } from './run-input.ts';

/** A document that is being rendered. */
export interface ReportDocument {
  readonly fileName: string;
  readonly contentType: string;
  readonly asAttachment: boolean;
  /** Bytes, or UTF-8 text, piece by piece; fails with a `PlatformError`. */
  readonly content: AsyncGenerator<DocumentPiece>;
}

/** Reads the bands of a prepared run and renders the document; a streamed document is rendered while it is read. */
export async function renderDocument(prepared: PreparedRun, input: RunInput, ports: RunPorts): Promise<ReportDocument> {
  const { template, asAttachment, pictures } = prepared;
  const { report, locale } = input;
  try {
    const { fileName, content } = await renderReport(report.definition, template, bandContext(prepared, input, ports), {
      locale: displayIn(ports.currentMessages(), locale),
      limits: ports.limits,
      converters: ports.converters,
      pictures,
    });
    const contentType = contentTypeOf(template.definition.outputType);
    return { fileName, contentType, asAttachment, content: withRunErrors(content, input) };
  } catch (error) {
    throw toRunError(error, report.definition);
  }
}

const bandContext = (
  { parameters, data }: PreparedRun,
  { report, signal }: RunInput,
  ports: RunPorts,
): BandContext => ({
  model: ports.model,
  parameters,
  parameterFields: parameterFields(report, parameters),
  data,
  signal,
  maxPathMs: ports.limits.maxPathMs,
  maxCells: ports.limits.maxCells,
  putEmptyRow: ports.putEmptyRow,
  countRow: rowCounter(ports.maxRows),
});

const parameterFields = ({ definition }: LoadedReport, values: ReportParameters): Fields =>
  new Map(
    (definition.parameters ?? []).map((parameter) => [
      parameter.alias,
      cellOfParameter(parameter, values[parameter.alias] ?? null),
    ]),
  );

/** @throws REPORT_RUN_ERROR where a run has too many rows */
function rowCounter(maxRows: number): () => void {
  let rows = 0;
  return () => {
    rows += 1;
    if (rows > maxRows)
      throw new PlatformError('REPORT_RUN_ERROR', `The report has more than ${maxRows} rows (svc.reports.max-rows)`);
  };
}

async function* withRunErrors(
  content: AsyncIterable<DocumentPiece>,
  { report }: RunInput,
): AsyncGenerator<DocumentPiece> {
  try {
    yield* content;
  } catch (error) {
    throw toRunError(error, report.definition);
  }
}
