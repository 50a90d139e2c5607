import type { IncomingMessage } from 'node:http';
import { contentDisposition } from '@lintel/documents';
import { PlatformError } from '@lintel/errors';
import {
  applyPreference,
  bearerToken,
  chooseLocale,
  contextOf,
  handleUnknown,
  handleUnknownInside,
  handlingFor,
  preferencesOf,
  readBody,
  sendJson,
  sendStream,
  shareCallerOf,
  type UnknownMembers,
} from '@lintel/http';
import type { Access } from '@lintel/security';
import type { Request, RequestHandler, Response, Router } from 'express';
import { type Caller, findReportByCode, findReportById } from '../definitions/find-report.ts';
import type { LoadedReport, ReportCatalogue } from '../definitions/report-catalogue.ts';
import type { BackgroundRun } from './background-run.ts';
import type { ReportDocument } from './execution/render-document.ts';
import { type RunReportPorts, type RunRequest, runReport } from './execution/run-report.ts';
import { runInfo } from './preparation/run-info.ts';
import type { CheckNames } from './preparation/run-input.ts';
import { DocumentSpool } from './spool/document-spool.ts';
import type { SpoolSpace } from './spool/spool-space.ts';

export interface RunRoutePorts extends RunReportPorts {
  /** Space for documents that their clients have not read. */
  readonly spoolSpace: SpoolSpace;
  readonly catalogueOf: (request: Request, response: Response) => Promise<ReportCatalogue>;
  readonly callerOf: (response: Response) => Caller & { readonly access: Access };
  readonly availableLocales: readonly string[];
  readonly maxBodyBytes: number;
  readonly unknownMembers: UnknownMembers;
}

/** `POST /run/:id` and `POST /run/code/:code` (contract/reports.md#reports). */
export function registerRunRoutes(router: Router, ports: RunRoutePorts): void {
  const { catalogueOf, callerOf } = ports;
  const named = (find: typeof findReportById) =>
    run(ports, {
      reportIn: nameIn,
      loadReport: async (request, response) =>
        find(await catalogueOf(request, response), nameIn(request), callerOf(response)),
      mayContinueInBackground: true,
    });
  router.post('/run/code/:name', named(findReportByCode));
  router.post('/run/:name', named(findReportById));
}

const nameIn = ({ params }: Request): string => String(params['name']);

/** Which report a route runs. */
export interface RunRoute {
  /** The id or code in the path. */
  readonly reportIn: (request: Request) => string;
  readonly loadReport: (request: Request, response: Response) => Promise<LoadedReport>;
  /** Whether a client may prefer that the run goes on without it. */
  readonly mayContinueInBackground: boolean;
  /** The options of the run where they are not the whole body. */
  readonly readBody?: () => Promise<string>;
}

/** Runs a report, and sends the document. */
export const run =
  (ports: RunRoutePorts, { reportIn, loadReport, mayContinueInBackground, readBody }: RunRoute): RequestHandler =>
  async (request, response) => {
    const { principal, signal, acceptLanguage } = contextOf(request, response);
    const shareCaller = shareCallerOf(request, principal);
    const run: RunRequest = {
      reportInPath: reportIn(request),
      loadReport: () => loadReport(request, response),
      principal,
      access: ports.callerOf(response).access,
      shareCaller,
      subjectToken: bearerToken(request.headers.authorization) ?? '',
      locale: chooseLocale(acceptLanguage, principal.locale, ports.availableLocales),
      prefersBackground: mayContinueInBackground && preferencesOf(request.headers['prefer']).has('respond-async'),
      readBody: readBody ?? (() => readText(request, ports.maxBodyBytes)),
      checkNames: checkNamesOf(request, response, ports.unknownMembers),
      signal,
    };
    const respond = {
      sendAccepted: (accepted: BackgroundRun) => sendAccepted(response, accepted),
      sendDocument: (document: ReportDocument) => sendDocument(response, document, shareCaller, ports),
    };
    await runReport(run, respond, ports);
  };

/** Sends a document while it is rendered; rendering does not wait for a client that reads slowly. */
async function sendDocument(
  response: Response,
  document: ReportDocument,
  caller: string,
  { spoolSpace, runPorts }: RunRoutePorts,
): Promise<void> {
  const { isBegun } = document;
  const spool = new DocumentSpool({ space: spoolSpace, caller, isBegun, logger: runPorts.logger });
  const filled = spool.fill(document.content);
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
  applyPreference(response, 'respond-async');
  response.setHeader('Retry-After', '1');
  response.setHeader('Cache-Control', 'no-store');
  sendJson(response, 202, runInfo(run));
}

/**
 * Sends a document (contract/reports.md#run-response). The head is sent with the first piece that the spool releases, so
 * that an early error has its status; a later error cuts the response.
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
  await sendStream(response, continued(first.value, content));
}

async function* continued(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

/** Refuses or reports members of the body that have no meaning, as the request prefers. */
export const checkNamesOf =
  (request: Request, response: Response, unknownMembers: UnknownMembers): CheckNames =>
  (names, known, part) => {
    const handling = handlingFor(request, response, unknownMembers);
    if (part === undefined) handleUnknown(response, handling, 'body', names, known);
    else
      handleUnknownInside(
        response,
        handling,
        'body',
        names.map((name) => ({ inside: '', name, known, part })),
      );
  };

/**
 * The body of a request as text.
 *
 * @throws PlatformError REPORT_INVALID_BODY, REQ_BODY_TOO_LARGE
 */
export async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const bytes = await readBody(request, maxBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new PlatformError('REPORT_INVALID_BODY', 'The body is not valid UTF-8');
  }
}
