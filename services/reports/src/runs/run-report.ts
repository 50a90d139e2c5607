import type { ReportParameters, ReportTemplate } from '@lintel/application';
import { isPlatformError, PlatformError } from '@lintel/errors';
import { displayIn, type Messages, type Model } from '@lintel/metadata';
import type { Access } from '@lintel/security';
import type { Logger } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { DocumentStore } from '../background/document-store.ts';
import type { BandContext } from '../bands/band-context.ts';
import type { Fields } from '../bands/cell.ts';
import { cellOfParameter } from '../bands/cells-of-row.ts';
import { createDataSource } from '../datasets/create-data-source.ts';
import type { DatasetClient, RunToken } from '../datasets/dataset-client.ts';
import type { ReportDataSource } from '../datasets/report-data-source.ts';
import type { ServiceTokenSource } from '../datasets/service-tokens.ts';
import type { LoadedReport } from '../definitions/report-catalogue.ts';
import type { FileReader } from '../files/file-reader.ts';
import type { ExecutionEnd, ExecutionHistory, NewExecution } from '../history/execution-history.ts';
import { endOnRecord, recordDocument } from '../history/record-document.ts';
import { parseRunRequest } from '../parameters/parse-run-request.ts';
import { resolveParameters } from '../parameters/resolve-parameters.ts';
import type { RemoteReader } from '../remote-documents/fetch-document.ts';
import type { CompiledTemplate, TemplateLimits } from '../rendering/compile-template.ts';
import type { DocumentConverters } from '../rendering/converting/document-converters.ts';
import { createPictureSource } from '../rendering/images/create-picture-source.ts';
import type { PictureSource } from '../rendering/images/picture-source.ts';
import { contentTypeOf, isView } from '../rendering/output-type.ts';
import { type DocumentPiece, type RenderLimits, renderReport } from '../rendering/render-report.ts';
import { ReportFailure } from '../report-failure.ts';
import { RunDeadlineError, toRunError } from './run-error.ts';
import type { RunMetrics } from './run-metrics.ts';

export interface RunInput {
  /** The tokens that the service acts for the caller with are of this run alone. */
  readonly runId: string;
  readonly report: LoadedReport;
  /** The id or code in the path; shown in errors. */
  readonly reportInPath: string;
  /** Body of the request. */
  readonly body: string;
  /** The caller's JWT, or the token of a run that waited, for which data are read. */
  readonly subjectToken: string;
  readonly username: string;
  readonly access: Pick<Access, 'allows' | 'hasSpecific'>;
  /** Underscore form. */
  readonly locale: string;
  /** Aborts when the client is gone or the run takes too long. */
  readonly signal: AbortSignal;
}

export interface RunPorts {
  readonly model: Model;
  /** The texts of this moment. */
  readonly currentMessages: () => Messages;
  readonly datasets: DatasetClient;
  readonly remote: RemoteReader;
  readonly serviceTokens: ServiceTokenSource;
  readonly clock: Clock;
  readonly limits: RenderLimits;
  readonly converters: DocumentConverters;
  readonly files: FileReader;
  /** `svc.reports.put-empty-row-if-no-data-selected` */
  readonly putEmptyRow: boolean;
  /** `svc.reports.max-rows` */
  readonly maxRows: number;
  readonly history: ExecutionHistory;
  /** Keeps documents of executions, where they are to be kept. */
  readonly documents: Pick<DocumentStore, 'store'> | undefined;
  readonly measured: RunMetrics;
  readonly logger: Pick<Logger, 'warn'>;
}

/** A document that is being made. */
export interface ReportDocument {
  readonly fileName: string;
  readonly contentType: string;
  readonly asAttachment: boolean;
  /** Bytes, or UTF-8 text, piece by piece; fails with a `PlatformError`. */
  readonly content: AsyncGenerator<DocumentPiece>;
}

/** A run of which everything the client sent was found good. */
export interface PreparedRun {
  readonly template: CompiledTemplate;
  readonly parameters: ReportParameters;
  readonly asAttachment: boolean;
  readonly data: ReportDataSource;
  readonly pictures: PictureSource;
}

/**
 * Reads what the client sent: body → template → parameters, checked in the order of contract/reports.md#check-order.
 */
export async function prepareRun(input: RunInput, ports: RunPorts): Promise<PreparedRun> {
  const { report, signal } = input;
  const { definition } = report;
  const request = await parseRunRequest(input.body);
  if (report.problems.length > 0) throw new PlatformError('REPORT_RUN_ERROR', report.problems.join('\n'));
  const chosen = chooseTemplate(input, request.template);
  const token = ports.serviceTokens.forRun(input.subjectToken, input.runId);
  const data = createDataSource(ports, { token, locale: input.locale, signal });
  try {
    const parameters = await resolveParameters(definition.parameters ?? [], request.parameters, {
      model: ports.model,
      access: input.access,
      data,
      caller: { username: input.username, locale: input.locale, now: ports.clock.now() },
      validate: definition.validation,
    });
    if (chosen === undefined) throw noDefault(report);
    const template = await compiled(chosen, report, ports.limits.template, (fileRef) =>
      ports.files.read(fileRef, token, signal),
    );
    return { template, parameters, asAttachment: request.attachment, data, pictures: picturesOf(input, token, ports) };
  } catch (error) {
    throw toRunError(error, definition);
  }
}

/** Files are for users who may download them: the files service leaves that to who asks. */
function picturesOf({ access, signal }: RunInput, token: RunToken, ports: RunPorts): PictureSource {
  const readFile = access.hasSpecific('rest.fileDownload.enabled')
    ? (fileRef: string) => ports.files.read(fileRef, token, signal)
    : undefined;
  return createPictureSource({
    remote: ports.remote,
    readFile,
    signal,
    maxTotalBytes: ports.limits.maxPicturesBytes,
  });
}

/** Runs a report: what the client sent → bands → document. */
export async function runReport(input: RunInput, ports: RunPorts): Promise<ReportDocument> {
  const { history, documents, logger } = ports;
  const prepared = await prepareRun(input, ports);
  const execution = await history.begin(beginningOf(prepared, input));
  try {
    const document = await makeDocument(prepared, input, ports);
    const { fileName: name, contentType } = document;
    const token = ports.serviceTokens.forRun(input.subjectToken, input.runId);
    const save = async (content: AsyncIterable<Uint8Array>): Promise<string> =>
      (await (documents as DocumentStore).store({ name, contentType, content }, token, input.signal)).fileRef;
    const content = recordDocument(document.content, execution, {
      save: history.savesDocuments && documents !== undefined ? save : undefined,
      endOf: (error) => endOf(error, input),
      logger,
    });
    return { ...document, content };
  } catch (error) {
    await endOnRecord(execution, endOf(error, input), logger);
    throw error;
  }
}

/** What the history says of a run that begins. */
export const beginningOf = ({ parameters }: PreparedRun, { report, username }: RunInput): NewExecution => ({
  report: { name: report.definition.name, code: report.definition.code },
  username,
  parameters,
});

/** What the history says of a run that `error` ended: nobody may have wanted it any longer. */
export function endOf(error: unknown, { report, signal }: RunInput): ExecutionEnd {
  if (signal.aborted && !(signal.reason instanceof RunDeadlineError)) return { kind: 'cancelled' };
  const { error: what, details } = toRunError(error, report.definition);
  return { kind: 'failed', message: details === '' ? what : details };
}

/** Makes the document of a run. */
export async function makeDocument(prepared: PreparedRun, input: RunInput, ports: RunPorts): Promise<ReportDocument> {
  const { report, signal } = input;
  const { template, parameters, data } = prepared;
  const context: BandContext = {
    model: ports.model,
    parameters,
    parameterFields: parameterFields(report, parameters),
    data,
    signal,
    maxPathMs: ports.limits.maxPathMs,
    maxCells: ports.limits.maxCells,
    putEmptyRow: ports.putEmptyRow,
    countRow: rowCounter(ports.maxRows),
  };
  try {
    const rendered = await renderReport(report.definition, template, context, {
      locale: displayIn(ports.currentMessages(), input.locale),
      limits: ports.limits,
      converters: ports.converters,
      pictures: prepared.pictures,
    });
    return {
      fileName: rendered.fileName,
      contentType: contentTypeOf(template.definition.outputType),
      asAttachment: prepared.asAttachment,
      content: withRunErrors(rendered.content, input),
    };
  } catch (error) {
    throw toRunError(error, report.definition);
  }
}

/**
 * The template that was asked for, else the default one; undefined where there is none.
 *
 * @throws steps 5 and 6 of contract/reports.md#check-order
 */
function chooseTemplate({ report, reportInPath }: RunInput, code: string | null): ReportTemplate | undefined {
  const { definition } = report;
  const chosen = definition.templates.find((template) =>
    code === null ? template.default === true : template.code === code,
  );
  if (chosen === undefined && code !== null)
    throw new PlatformError(
      'REPORT_TEMPLATE_NOT_FOUND',
      `Template with code ${code} not found for report ${reportInPath}`,
    );
  if (chosen !== undefined && isView(chosen.outputType))
    throw new PlatformError(
      'REPORT_RUN_ERROR',
      `${chosen.outputType} report output type is not supported by Reporting REST API`,
    );
  return chosen;
}

/** @throws REPORT_RUN_ERROR that says what is wrong in a template of the database */
async function compiled(
  template: ReportTemplate,
  report: LoadedReport,
  limits: TemplateLimits,
  readFile: (fileRef: string) => Promise<Uint8Array>,
): Promise<CompiledTemplate> {
  try {
    return await report.compile(template, readFile, limits);
  } catch (cause) {
    if (isPlatformError(cause) || cause instanceof ReportFailure) throw cause;
    throw new PlatformError('REPORT_RUN_ERROR', `Template ${template.code}: ${(cause as Error).message}`, { cause });
  }
}

const noDefault = ({ definition }: LoadedReport): PlatformError =>
  new PlatformError('REPORT_RUN_ERROR', `No default template specified for report [${definition.name}]`);

/** @throws REPORT_RUN_ERROR where a run has more rows than it may */
function rowCounter(maxRows: number): () => void {
  let rows = 0;
  return () => {
    rows += 1;
    if (rows > maxRows)
      throw new PlatformError('REPORT_RUN_ERROR', `The report has more than ${maxRows} rows (svc.reports.max-rows)`);
  };
}

const parameterFields = ({ definition }: LoadedReport, values: ReportParameters): Fields =>
  new Map(
    (definition.parameters ?? []).map((parameter) => [
      parameter.alias,
      cellOfParameter(parameter, values[parameter.alias] ?? null),
    ]),
  );

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
