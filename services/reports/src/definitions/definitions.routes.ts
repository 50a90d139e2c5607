import { chooseLocale, contextOf, requireJsonAcceptable, sendJson, toMiddleware } from '@lintel/http';
import { displayIn, type Messages } from '@lintel/metadata';
import type { Clock } from '@lintel/timing';
import type { Request, Response, Router } from 'express';
import { timeZoneOf } from '../parameters/default-expression.ts';
import type { Caller } from './find-report.ts';
import { assertReadable, findGroupById, findReportById, visibleReports } from './find-report.ts';
import type { ReportCatalogue } from './report-catalogue.ts';
import { groupInfo, type InfoContext, reportInfo, reportSummary } from './report-info.ts';

/** What the descriptions of reports need. */
export interface InfoPorts {
  readonly currentMessages: () => Messages;
  readonly availableLocales: readonly string[];
  readonly clock: Clock;
}

export interface DefinitionPorts extends InfoPorts {
  readonly catalogueOf: (request: Request, response: Response) => Promise<ReportCatalogue>;
  readonly callerOf: (response: Response) => Caller;
}

/** The caller of a request, and the texts in its locale. */
export function infoContextOf(request: Request, response: Response, ports: InfoPorts): InfoContext {
  const { principal, acceptLanguage } = contextOf(request, response);
  const locale = chooseLocale(acceptLanguage, principal.locale, ports.availableLocales);
  return {
    caller: { username: principal.username, locale, now: ports.clock.now(), timeZone: timeZoneOf(principal) },
    message: displayIn(ports.currentMessages(), locale).message,
  };
}

/** `GET /report`, `/report/:id` and `/group/:id` (contract/reports.md#reports). */
export function registerDefinitionRoutes(router: Router, ports: DefinitionPorts): void {
  const { catalogueOf, callerOf } = ports;
  const infoContext = (request: Request, response: Response): InfoContext => infoContextOf(request, response, ports);
  const jsonOnly = toMiddleware(requireJsonAcceptable);
  router.get('/report', jsonOnly, async (request, response) => {
    assertReadable('report_Report', callerOf(response));
    const context = infoContext(request, response);
    const reports = visibleReports(await catalogueOf(request, response), callerOf(response));
    const infos = reports.map(({ definition, isStored }) =>
      isStored ? reportSummary(definition, context) : reportInfo(definition, context),
    );
    sendJson(response, 200, await Promise.all(infos));
  });
  router.get('/report/:id', jsonOnly, async (request: Request<{ id: string }>, response) => {
    const plainRequest = request as unknown as Request;
    assertReadable('report_Report', callerOf(response));
    const catalogue = await catalogueOf(plainRequest, response);
    const { definition } = findReportById(catalogue, request.params.id, callerOf(response));
    sendJson(response, 200, await reportInfo(definition, infoContext(plainRequest, response)));
  });
  router.get('/group/:id', jsonOnly, async (request: Request<{ id: string }>, response) => {
    const plainRequest = request as unknown as Request;
    assertReadable('report_ReportGroup', callerOf(response));
    const group = findGroupById(await catalogueOf(plainRequest, response), request.params.id, callerOf(response));
    sendJson(response, 200, groupInfo(group, infoContext(plainRequest, response)));
  });
}
