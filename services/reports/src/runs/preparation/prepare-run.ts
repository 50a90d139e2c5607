import type { ReportParameters, ReportTemplate } from '@lintel/application';
import {
  type CompiledTemplate,
  createPictureSource,
  isView,
  type PictureSource,
  type ReportDataSource,
  ReportFailure,
  withOutput,
} from '@lintel/documents';
import { isPlatformError, PlatformError } from '@lintel/errors';
import { createDataSource } from '../../datasets/create-data-source.ts';
import type { RunToken } from '../../datasets/dataset-client.ts';
import type { LoadedReport, UsedTemplate } from '../../definitions/report-catalogue.ts';
import {
  PARAMETER_MEMBERS,
  parseRunRequest,
  RUN_MEMBERS,
  type RunRequestBody,
} from '../../parameters/parse-run-request.ts';
import { resolveParameters } from '../../parameters/resolve-parameters.ts';
import { toRunError } from '../run-error.ts';
import type { RunInput, RunPorts } from './run-input.ts';

/** A run whose request is valid. */
export interface PreparedRun {
  readonly template: CompiledTemplate;
  readonly parameters: ReportParameters;
  readonly asAttachment: boolean;
  /** Whether the document, which is CSV, begins with a byte order mark. */
  readonly withBom: boolean;
  readonly data: ReportDataSource;
  readonly pictures: PictureSource;
  /** Ends the use of the template; to be called when its document is complete, or is not made. */
  readonly release: () => void;
}

/** What reads the data of a run. */
export interface PreparedData extends Pick<PreparedRun, 'parameters' | 'data'> {
  readonly token: RunToken;
}

/** Checks the request and prepares the run; the stages have the order of contract/reports.md#check-order. */
export async function prepareRun(input: RunInput, ports: RunPorts): Promise<PreparedRun> {
  const request = await receiveRun(input);
  const chosen = chooseTemplate(input, request.template);
  const { parameters, data, token } = await prepareData(request, input, ports);
  try {
    const used = await compileTemplate(assertTemplate(chosen, input.report), token, input, ports);
    const { release } = used;
    const template = chooseOutput(used, request);
    const pictures = picturesOf(input, token, ports);
    const { attachment: asAttachment, bom: withBom } = request;
    return { template, parameters, asAttachment, withBom, data, pictures, release };
  } catch (error) {
    throw toRunError(error, input.report.definition);
  }
}

/** Reads the body of a request, and checks it and the report. */
export async function receiveRun(input: RunInput): Promise<RunRequestBody> {
  const request = await parseRunRequest(input.body);
  checkNames(request, input);
  assertRunnable(input.report);
  return request;
}

/** Resolves the parameters, and opens the source of the data. */
export async function prepareData(
  request: Pick<RunRequestBody, 'parameters'>,
  input: RunInput,
  ports: RunPorts,
): Promise<PreparedData> {
  const token = ports.serviceTokens.forRun(input.subjectToken, input.runId);
  const data = createDataSource(ports, { token, locale: input.locale, signal: input.signal });
  try {
    const parameters = await resolveParameters(input.report.definition.parameters ?? [], request.parameters, {
      model: ports.model,
      access: input.access,
      data,
      caller: { username: input.username, timeZone: input.timeZone, locale: input.locale, now: ports.clock.now() },
      times: {
        offsets: ports.dateTimeOffset,
        note: (part, alias) => input.checkNames?.([inParameters(alias)], [], part),
      },
      validate: input.report.definition.validation,
    });
    return { parameters, data, token };
  } catch (error) {
    throw toRunError(error, input.report.definition);
  }
}

/** @throws REPORT_RUN_ERROR where the template does not have the output; its use has ended then */
function chooseOutput(
  { template, release }: UsedTemplate,
  { outputType, bom }: Pick<RunRequestBody, 'outputType' | 'bom'>,
): CompiledTemplate {
  try {
    const chosen = outputType === null ? template : withOutput(template, outputType);
    if (bom && chosen.definition.outputType !== 'CSV')
      throw new Error(`"bom" is for CSV, and the output is ${chosen.definition.outputType}`);
    return chosen;
  } catch (cause) {
    release();
    throw new PlatformError('REPORT_RUN_ERROR', (cause as Error).message, { cause });
  }
}

const inParameters = (name: string): string => `parameters.${name}`;

/** Members of the body, and parameters of the report, that do not exist. */
function checkNames(
  { unknown, unknownInParameters, parameters }: RunRequestBody,
  { report, checkNames: check }: RunInput,
): void {
  if (check === undefined) return;
  check(unknown, RUN_MEMBERS);
  check(unknownInParameters.map(inParameters), PARAMETER_MEMBERS.map(inParameters));
  const known = (report.definition.parameters ?? []).map(({ alias }) => alias);
  const others = [...parameters.keys()].filter((name) => !known.includes(name));
  check(others.map(inParameters), known.map(inParameters));
}

/** @throws REPORT_RUN_ERROR with the problems of a report of the database */
function assertRunnable({ problems }: LoadedReport): void {
  if (problems.length > 0) throw new PlatformError('REPORT_RUN_ERROR', problems.join('\n'));
}

/**
 * Chooses the template of the request, else the default one; undefined where there is none.
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

/** @throws REPORT_RUN_ERROR where the request names no template and the report has no default one */
function assertTemplate(chosen: ReportTemplate | undefined, { definition }: LoadedReport): ReportTemplate {
  if (chosen !== undefined) return chosen;
  throw new PlatformError('REPORT_RUN_ERROR', `No default template specified for report [${definition.name}]`);
}

/** @throws REPORT_RUN_ERROR with the problem of a template of the database */
async function compileTemplate(
  template: ReportTemplate,
  token: RunToken,
  { report, signal }: RunInput,
  { files, limits, templateMemory: memory }: RunPorts,
): Promise<UsedTemplate> {
  try {
    const readFile = (fileRef: string) => files.read(fileRef, token, signal);
    return await report.compile(template, { readFile, limits: limits.template, memory, signal });
  } catch (cause) {
    signal.throwIfAborted();
    if (isPlatformError(cause) || cause instanceof ReportFailure) throw cause;
    throw new PlatformError('REPORT_RUN_ERROR', `Template ${template.code}: ${(cause as Error).message}`, { cause });
  }
}

/** Only users who may download files get pictures of files; the files service does not check that right. */
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
