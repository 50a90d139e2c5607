import { type Call, type CallOptions, callOf } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { pathOf, REPORTS_PATH } from '../connection/paths.ts';
import { createDownload, type Download } from '../files/download.ts';
import { readChunks } from '../files/read-chunks.ts';
import type { ConditionGroup } from '../filters/condition.ts';
import { createReportRun, type ReportRun } from './report-run.ts';

/** A report that the caller may run. In lists, reports of the database have only the first four members. */
export interface ReportInfo {
  /** UUID of the report. */
  readonly id: string;
  /** The caption, in the language of the client. */
  readonly name: string;
  /** Names the report in `run` and `start`; absent for a report that has only an id. */
  readonly code?: string;
  /** Id of the group. */
  readonly group?: string;
  /** The documents that can be made; without a choice the default one. */
  readonly templates?: readonly { readonly code: string; readonly outputType: string; readonly default: boolean }[];
  /** What a run can set; hidden parameters are meant for programs. */
  readonly inputParameters?: readonly {
    readonly name: string;
    readonly alias: string;
    readonly type: string;
    readonly required: boolean;
    readonly hidden: boolean;
    readonly entityMetaClass?: string;
    readonly enumerationClass?: string;
    readonly defaultValue?: string;
    /** What the default is computed from at each request: `startOfMonth`, `currentUser`. */
    readonly defaultExpression?: string;
    /** Which instances a form offers. */
    readonly lookupFilter?: ConditionGroup;
  }[];
}

/** What a report is run with. */
export interface RunOptions extends CallOptions {
  /** By the alias of each parameter; entities by id. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** The code of a template, instead of the default one. */
  readonly template?: string | undefined;
  /** Another output that the file of the template can have: `PDF` of a Word document. */
  readonly outputType?: string | undefined;
}

/** The code of a report, or its id. */
export type ReportKey = string | { readonly id: string };

/** A version of a report of the database, which is run without being restored. */
export interface ReportVersionKey {
  /** Id of the report. */
  readonly id: string;
  /** Number of the version, from 1. */
  readonly version: number;
}

/** A simple report that is run without being saved; its members are those of `POST /rest/reports/definition/draft`. */
export interface ReportDraftKey {
  readonly draft: object;
}

/** Runs reports. */
export interface ReportClient {
  /** The reports that the caller may run. */
  list(options?: CallOptions): Promise<readonly ReportInfo[]>;
  /** One report, with its templates and parameters. */
  load(id: string, options?: CallOptions): Promise<ReportInfo>;
  /** Runs a report while the caller waits, and returns the document. */
  run(report: ReportKey | ReportVersionKey | ReportDraftKey, options?: RunOptions): Promise<Download>;
  /** Starts a run in the background: `for await (const { status, progress } of run.states()) …` */
  start(report: ReportKey, options?: RunOptions): Promise<ReportRun>;
  /** A run that was started before, by its id. */
  runOf(id: string): ReportRun;
}

/** A document may take minutes. */
const TIMEOUT_MS = 600_000;

/** The methods for reports of a connection. */
export function createReportClient(connection: Connection): ReportClient {
  const get = async (path: string, options?: CallOptions): Promise<unknown> =>
    (await connection.read({ method: 'GET', path, repeatable: true, ...callOf(options) })).body;

  const callTo = (report: ReportKey | ReportVersionKey | ReportDraftKey, options: RunOptions): Call => ({
    method: 'POST',
    path: runPathOf(report),
    json:
      typeof report === 'object' && 'draft' in report
        ? { draft: report.draft, outputType: options.outputType }
        : {
            template: options.template,
            outputType: options.outputType,
            parameters: Object.entries(options.parameters ?? {}).map(([name, value]) => ({ name, value })),
          },
    repeatable: false,
    ...callOf(options),
  });

  return {
    list: (options) => get(`${REPORTS_PATH}/report`, options) as Promise<readonly ReportInfo[]>,
    load: (id, options) => get(pathOf(`${REPORTS_PATH}/report`, id), options) as Promise<ReportInfo>,
    async run(report, options = {}) {
      const { response, release } = await connection.open({
        ...callTo(report, options),
        timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      });
      return createDownload(response, readAll(response, release, options));
    },
    async start(report, options = {}) {
      const { headers } = await connection.read({
        ...callTo(report, options),
        headers: { prefer: 'respond-async' },
      });
      return createReportRun(connection, /[^/]+$/.exec(headers.get('location') ?? '')?.[0] ?? '');
    },
    runOf: (id) => createReportRun(connection, id),
  };
}

function runPathOf(report: ReportKey | ReportVersionKey | ReportDraftKey): string {
  if (typeof report === 'string') return pathOf(`${REPORTS_PATH}/run/code`, report);
  if ('draft' in report) return `${REPORTS_PATH}/definition/draft/run`;
  if ('version' in report) return `${pathOf(`${REPORTS_PATH}/report`, report.id)}/versions/${report.version}/run`;
  return pathOf(`${REPORTS_PATH}/run`, report.id);
}

async function* readAll(
  response: Parameters<typeof readChunks>[0],
  release: () => void,
  { signal }: CallOptions,
): AsyncGenerator<Uint8Array> {
  try {
    yield* readChunks(response);
  } catch (error) {
    throw signal?.aborted === true ? signal.reason : error;
  } finally {
    release();
  }
}
