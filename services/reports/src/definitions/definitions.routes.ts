import { sendJson } from '@lintel/http';
import type { Request, Response, Router } from 'express';
import type { Caller } from './find-report.ts';
import { findGroupById, findReportById, visibleReports } from './find-report.ts';
import type { ReportCatalogue } from './report-catalogue.ts';
import { groupInfo, reportInfo } from './report-info.ts';

export interface DefinitionPorts {
  readonly catalogue: () => ReportCatalogue;
  readonly callerOf: (response: Response) => Caller;
}

/** `GET /report`, `/report/:id` and `/group/:id` (specification 4.13). */
export function registerDefinitionRoutes(router: Router, { catalogue, callerOf }: DefinitionPorts): void {
  router.get('/report', (_request, response) =>
    sendJson(
      response,
      200,
      visibleReports(catalogue(), callerOf(response)).map(({ definition }) => reportInfo(definition)),
    ),
  );
  router.get('/report/:id', (request: Request<{ id: string }>, response) =>
    sendJson(response, 200, reportInfo(findReportById(catalogue(), request.params.id, callerOf(response)).definition)),
  );
  router.get('/group/:id', (request: Request<{ id: string }>, response) =>
    sendJson(response, 200, groupInfo(findGroupById(catalogue(), request.params.id, callerOf(response)))),
  );
}
