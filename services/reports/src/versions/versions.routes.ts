import { contextOf, sendJson } from '@lintel/http';
import type { RoleRegistry } from '@lintel/security';
import type { Request, Response, Router } from 'express';
import { hasRowRules } from '../definitions/catalogue-for.ts';
import { type InfoPorts, infoContextOf } from '../definitions/definitions.routes.ts';
import { findReportById } from '../definitions/find-report.ts';
import type { LoadedReport } from '../definitions/report-catalogue.ts';
import { reportInfo } from '../definitions/report-info.ts';
import { assertEditor, preview, reportIn } from '../previews/previews.routes.ts';
import { type RunRoutePorts, run } from '../runs/runs.routes.ts';
import { assertSeesTemplates, loadVersion, type VersionPorts } from './load-version.ts';

export interface VersionRoutePorts extends RunRoutePorts, InfoPorts, VersionPorts {
  readonly currentRoles: () => RoleRegistry;
}

/** Versions of reports that are run without being restored (contract/reports.md#version-previews). */
export function registerVersionRoutes(router: Router, ports: VersionRoutePorts): void {
  const load = async (request: Request, response: Response): Promise<LoadedReport> => {
    assertEditor(response, ports);
    const caller = ports.callerOf(response);
    const { principal } = contextOf(request, response);
    const isRestricted = hasRowRules('report_ReportTemplate', principal, ports.currentRoles());
    assertSeesTemplates(caller.access, isRestricted);
    const present = findReportById(await ports.catalogueOf(request, response), reportIn(request), caller);
    return loadVersion(present, String(request.params['number']), caller.access, ports);
  };
  const path = '/report/:id/versions/:number';
  router.get(path, async (request, response) => {
    const { definition } = await load(request, response);
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, await reportInfo(definition, infoContextOf(request, response, ports)));
  });
  router.post(`${path}/data`, async (request, response) => {
    await preview(await load(request, response), request, response, ports);
  });
  router.post(`${path}/run`, run(ports, { reportIn, loadReport: load, mayContinueInBackground: false }));
}
