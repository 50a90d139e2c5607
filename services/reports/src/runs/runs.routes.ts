import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PlatformError } from '@lintel/errors';
import { bearerToken, chooseLocale, contextOf, preferencesOf, readBody, sendJson } from '@lintel/http';
import type { Access } from '@lintel/security';
import type { Request, RequestHandler, Response, Router } from 'express';
import type { BackgroundRun } from '../background/background-run.ts';
import type { BackgroundRuns } from '../background/create-background-runs.ts';
import { runInfo } from '../background/run-info.ts';
import { type Caller, findReportByCode, findReportById } from '../definitions/find-report.ts';
import type { LoadedReport, ReportCatalogue } from '../definitions/report-catalogue.ts';
import { contentDisposition } from '../rendering/content-disposition.ts';
import type { DocumentPiece } from '../rendering/render-report.ts';
import { measured } from './measured-document.ts';
import { RunDeadlineError } from './run-error.ts';
import { type ReportDocument, type RunInput, type RunPorts, runReport } from './run-report.ts';

export interface RunRoutePorts {
  readonly catalogueOf: (request: Request, response: Response) => Promise<ReportCatalogue>;
  readonly callerOf: (response: Response) => Caller & { readonly access: Access };
  readonly runPorts: RunPorts;
  /** A new UUID. */
  readonly newId: () => string;
  /** Takes runs of clients that do not wait. */
  readonly background: Pick<BackgroundRuns, 'accept'> | undefined;
  readonly availableLocales: readonly string[];
  readonly maxBodyBytes: number;
  readonly runTimeoutMs: number;
}

/** `POST /run/:id` and `POST /run/code/:code` (specification 4.13). */
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
      else await runDirectly(response, input, ports.runPorts);
    } catch (error) {
      // Nobody is left to be told.
      if (!clientSignal.aborted) throw error;
    } finally {
      clearTimeout(timer);
    }
  };

async function runDirectly(response: Response, input: RunInput, runPorts: RunPorts): Promise<void> {
  const end = runPorts.measured.begin('direct');
  let document: ReportDocument;
  try {
    document = await runReport(input, runPorts);
  } catch (error) {
    end('error');
    throw error;
  }
  await send(response, { ...document, content: measured(document.content, end) });
}

/** Tells the client where its run is (RFC 7240 §4.1). */
function sendAccepted(response: Response, run: BackgroundRun): void {
  response.setHeader('Location', `${response.req.baseUrl}/runs/${run.id}`);
  response.setHeader('Preference-Applied', 'respond-async');
  response.setHeader('Retry-After', '1');
  response.setHeader('Cache-Control', 'no-store');
  sendJson(response, 202, runInfo(run));
}

/**
 * Sends a document (contract-reports-files-metadata.md §1.6). Its first piece is made before the head goes
 * out, so that an error of a small report still has its status; a later one cuts the connection.
 */
async function send(response: Response, document: ReportDocument): Promise<void> {
  const { content } = document;
  const first = await content.next();
  response.statusCode = 200;
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Pragma', 'no-cache');
  response.setHeader('Expires', new Date(0).toUTCString());
  response.setHeader('Content-Type', document.contentType);
  response.setHeader('Content-Disposition', contentDisposition(document.fileName, document.asAttachment));
  // A document shown by the browser must not act in the name of the API's origin.
  response.setHeader('Content-Security-Policy', 'sandbox');
  if (first.done === true) {
    response.end();
    return;
  }
  await pipeline(Readable.from(continued(first.value, content), { objectMode: false }), response);
}

async function* continued(first: DocumentPiece, rest: AsyncGenerator<DocumentPiece>): AsyncGenerator<DocumentPiece> {
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
