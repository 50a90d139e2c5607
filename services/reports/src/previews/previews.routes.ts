import type { Application } from '@lintel/application';
import type { ReportProblem } from '@lintel/documents';
import { bearerToken, chooseLocale, contextOf, sendJson, shareCallerOf } from '@lintel/http';
import type { Request, Response, Router } from 'express';
import { assertReadable, findReportById } from '../definitions/find-report.ts';
import type { LoadedReport } from '../definitions/report-catalogue.ts';
import { timeZoneOf } from '../parameters/default-expression.ts';
import { startDeadline } from '../runs/execution/run-deadline.ts';
import type { RunInput } from '../runs/preparation/run-input.ts';
import { checkNamesOf, type RunRoutePorts, readText } from '../runs/runs.routes.ts';
import { checkStored } from './check-stored.ts';
import { assertMayChangeReports, assertPreviewable, previewData } from './preview-data.ts';
import { type CheckedDefinition, receiveDefinition } from './receive-definition.ts';

export interface PreviewRoutePorts extends RunRoutePorts {
  readonly application: Pick<Application, 'model' | 'resourceRoles'>;
}

/**
 * `POST /report/:id/data` and `POST /definition/check`, for those who may change reports (contract/reports.md#preview,
 * contract/reports.md#definition-check).
 */
export function registerPreviewRoutes(router: Router, ports: PreviewRoutePorts): void {
  router.post('/definition/check', async (request, response) => {
    assertEditor(response, ports);
    const checked = receiveDefinition(await readText(request, ports.maxBodyBytes));
    sendPreview(response, { problems: await checkDefinition(checked, request, response, ports) });
  });
  router.post('/report/:id/data', async (request, response) => {
    assertEditor(response, ports);
    const report = findReportById(
      await ports.catalogueOf(request, response),
      reportIn(request),
      ports.callerOf(response),
    );
    await preview(report, request, response, ports);
  });
}

/** Templates are compiled in a slot of a run, and in the memory for templates. */
async function checkDefinition(
  checked: CheckedDefinition,
  request: Request,
  response: Response,
  ports: PreviewRoutePorts,
): Promise<readonly ReportProblem[]> {
  const { principal, signal } = contextOf(request, response);
  const { files, limits, currentMessages, serviceTokens, templateMemory } = ports.runPorts;
  const token = serviceTokens.forRun(bearerToken(request.headers.authorization) ?? '', ports.newId());
  const slot =
    checked.templates.length === 0
      ? undefined
      : await ports.runs.take(shareCallerOf(request, principal), 'ordinary', signal);
  const memory = templateMemory.open(() => undefined);
  const release = memory.use();
  try {
    return await checkStored(checked, ports.application, {
      model: ports.application.model,
      messages: currentMessages(),
      locales: ports.availableLocales,
      readFile: ({ code }) => files.read(checked.contents.get(code) ?? '', token, signal),
      limits: { ...limits.template, reserve: (bytes) => memory.reserve(bytes, signal) },
    });
  } finally {
    slot?.end();
    release();
    memory.forget();
  }
}

/** The id of the report in the path. */
export const reportIn = ({ params }: Request): string => String(params['id']);

/** @throws ACCESS_READ_DENIED, ACCESS_UPDATE_DENIED where the caller may not change reports */
export function assertEditor(response: Response, { callerOf }: Pick<PreviewRoutePorts, 'callerOf'>): void {
  const caller = callerOf(response);
  assertReadable('report_Report', caller);
  assertMayChangeReports(caller.access);
}

/** Sends the first rows of the bands of a report. */
export async function preview(
  report: LoadedReport,
  request: Request,
  response: Response,
  ports: RunRoutePorts,
): Promise<void> {
  const { principal, signal, acceptLanguage } = contextOf(request, response);
  const caller = ports.callerOf(response);
  assertPreviewable(report, caller.access);
  const body = await readText(request, ports.maxBodyBytes);
  const deadline = startDeadline(ports.runTimeoutMs);
  const input: RunInput = {
    runId: ports.newId(),
    report,
    reportInPath: reportIn(request),
    body,
    subjectToken: bearerToken(request.headers.authorization) ?? '',
    username: principal.username,
    timeZone: timeZoneOf(principal),
    access: caller.access,
    locale: chooseLocale(acceptLanguage, principal.locale, ports.availableLocales),
    checkNames: checkNamesOf(request, response, ports.unknownMembers),
    signal: AbortSignal.any([signal, deadline.signal]),
  };
  try {
    const slot = await ports.runs.take(shareCallerOf(request, principal), 'ordinary', input.signal);
    try {
      sendPreview(response, { bands: await previewData(input, ports.runPorts) });
    } finally {
      slot.end();
    }
  } catch (error) {
    // A client that has disconnected receives no error.
    if (!signal.aborted) throw error;
  } finally {
    deadline.clear();
  }
}

function sendPreview(response: Response, body: object): void {
  response.setHeader('Cache-Control', 'no-store');
  sendJson(response, 200, body);
}
