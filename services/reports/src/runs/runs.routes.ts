import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PlatformError } from '@lintel/errors';
import {
  bearerToken,
  chooseLocale,
  contextOf,
  type FairQueue,
  preferencesOf,
  readBody,
  sendJson,
  shareCallerOf,
} from '@lintel/http';
import type { Access } from '@lintel/security';
import type { Request, RequestHandler, Response, Router } from 'express';
import type { BackgroundRun } from '../background/background-run.ts';
import type { BackgroundRuns } from '../background/create-background-runs.ts';
import { assertReadable, type Caller, findReportByCode, findReportById } from '../definitions/find-report.ts';
import type { LoadedReport, ReportCatalogue } from '../definitions/report-catalogue.ts';
import { contentDisposition } from '../rendering/content-disposition.ts';
import { DocumentSpool } from './document-spool.ts';
import { measured } from './measured-document.ts';
import { RunDeadlineError } from './run-error.ts';
import { runInfo } from './run-info.ts';
import { type ReportDocument, type RunInput, type RunPorts, runReport } from './run-report.ts';
import type { SpoolSpace } from './spool-space.ts';

export interface RunRoutePorts {
  /** Shares runs with a waiting client fairly among users. */
  readonly runs: Pick<FairQueue, 'take'>;
  /** Space for documents that their clients have not read. */
  readonly spoolSpace: SpoolSpace;
  readonly catalogueOf: (request: Request, response: Response) => Promise<ReportCatalogue>;
  readonly callerOf: (response: Response) => Caller & { readonly access: Access };
  readonly runPorts: RunPorts;
  /** A new UUID. */
  readonly newId: () => string;
  /** Accepts runs in the background. */
  readonly background: Pick<BackgroundRuns, 'accept'> | undefined;
  readonly availableLocales: readonly string[];
  readonly maxBodyBytes: number;
  readonly runTimeoutMs: number;
}

/** `POST /run/:id` and `POST /run/code/:code` (contract/reports.md#reports). */
export function registerRunRoutes(router: Router, ports: RunRoutePorts): void {
  router.post('/run/code/:name', run(ports, findReportByCode));
  router.post('/run/:name', run(ports, findReportById));
}

type FindReport = (catalogue: ReportCatalogue, name: string, caller: Caller) => LoadedReport;

const run =
  (ports: RunRoutePorts, find: FindReport): RequestHandler<{ name: string }> =>
  async (request, response) => {
    const { principal, signal: clientSignal, acceptLanguage } = contextOf(request as unknown as Request, response);
    const caller = ports.callerOf(response);
    assertReadable('report_Report', caller);
    const reportInPath = request.params.name;
    const report = find(await ports.catalogueOf(request as unknown as Request, response), reportInPath, caller);
    const body = decodeBody(await readBody(request, ports.maxBodyBytes));
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new RunDeadlineError(ports.runTimeoutMs)), ports.runTimeoutMs);
    try {
      const input: RunInput = {
        runId: ports.newId(),
        report,
        reportInPath,
        body,
        subjectToken: bearerToken(request.headers.authorization) ?? '',
        username: principal.username,
        access: caller.access,
        locale: chooseLocale(acceptLanguage, principal.locale, ports.availableLocales),
        signal: AbortSignal.any([clientSignal, deadline.signal]),
      };
      const { background } = ports;
      if (background !== undefined && preferencesOf(request.headers['prefer']).has('respond-async'))
        sendAccepted(response, await background.accept(input, principal));
      else await runDirectly(response, input, shareCallerOf(request, principal), () => clearTimeout(timer), ports);
    } catch (error) {
      // A client that has disconnected receives no error.
      if (!clientSignal.aborted) throw error;
    } finally {
      clearTimeout(timer);
    }
  };

/**
 * Renders the document and sends it. The slot and the time limit of the run end with the rendering, so a client that
 * reads slowly does not delay other runs.
 */
async function runDirectly(
  response: Response,
  input: RunInput,
  caller: string,
  endTime: () => void,
  { runs, runPorts, spoolSpace }: RunRoutePorts,
): Promise<void> {
  const slot = await runs.take(caller, 'ordinary', input.signal);
  const endRun = runPorts.measured.begin('direct');
  const end = (outcome: 'ok' | 'error'): void => {
    endTime();
    slot.end();
    endRun(outcome);
  };
  let document: ReportDocument;
  try {
    document = await runReport(input, runPorts);
  } catch (error) {
    end('error');
    throw error;
  }
  const spool = new DocumentSpool({ space: spoolSpace, caller, logger: runPorts.logger });
  const filled = spool.fill(measured(document.content, end));
  try {
    await send(response, document, spool.read());
  } finally {
    await spool.close();
    await filled;
  }
}

/** Sends the location of the run (RFC 7240 §4.1). */
function sendAccepted(response: Response, run: BackgroundRun): void {
  response.setHeader('Location', `${response.req.baseUrl}/runs/${run.id}`);
  response.setHeader('Preference-Applied', 'respond-async');
  response.setHeader('Retry-After', '1');
  response.setHeader('Cache-Control', 'no-store');
  sendJson(response, 202, runInfo(run));
}

/**
 * Sends a document (contract/reports.md#run-response). Its first piece is rendered before the head is sent, so that an
 * early error has its status; a later error closes the connection.
 */
async function send(response: Response, document: ReportDocument, content: AsyncGenerator<Uint8Array>): Promise<void> {
  const first = await content.next();
  response.statusCode = 200;
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Pragma', 'no-cache');
  response.setHeader('Expires', new Date(0).toUTCString());
  response.setHeader('Content-Type', document.contentType);
  response.setHeader('Content-Disposition', contentDisposition(document.fileName, document.asAttachment));
  // A document in a browser must not act with the origin of the API.
  response.setHeader('Content-Security-Policy', 'sandbox');
  if (first.done === true) {
    response.end();
    return;
  }
  await pipeline(Readable.from(continued(first.value, content), { objectMode: false }), response);
}

async function* continued(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

function decodeBody(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new PlatformError('REPORT_INVALID_BODY', 'The body is not valid UTF-8');
  }
}
