import { type ReportDraft, reportDraftRunSchema, reportDraftSchema } from '@lintel/contracts';
import { chooseLocale, contextOf, sendJson } from '@lintel/http';
import { displayIn } from '@lintel/metadata';
import type { Request, Response, Router } from 'express';
import type { LoadedReport } from '../definitions/report-catalogue.ts';
import { loadStored } from '../definitions/stored-reports.ts';
import { assertEditor, type PreviewRoutePorts } from '../previews/previews.routes.ts';
import { receiveMembers } from '../previews/receive-definition.ts';
import { readText, run } from '../runs/runs.routes.ts';
import { wrongDraft } from './draft-columns.ts';
import { draftDocument } from './draft-document.ts';
import { layoutOf } from './draft-layout.ts';
import { draftWorkbook } from './draft-workbook.ts';

const UNSAVED = { id: '00000000-0000-4000-8000-000000000000', code: null, group: null, restAccess: true };
const TEMPLATE = { code: 'DEFAULT', isDefault: true, content: '', outputNamePattern: null };
/** `outputType`: ids of `report.ReportOutputType`. */
const TEMPLATES = {
  XLSX: { outputType: 50, extension: 'xlsx', write: draftWorkbook },
  DOCX: { outputType: 40, extension: 'docx', write: draftDocument },
} as const;

/** `POST /definition/draft`, which makes a simple report, and `…/run`, which runs it (contract/reports.md#drafts). */
export function registerDraftRoutes(router: Router, ports: PreviewRoutePorts): void {
  router.post('/definition/draft', async (request, response) => {
    assertEditor(response, ports);
    const draft = receiveMembers(reportDraftSchema, await readText(request, ports.maxBodyBytes));
    const { definition, name, content } = draftReport(draft, request, response, ports);
    const template = {
      code: 'DEFAULT',
      name,
      outputType: draft.template,
      content: Buffer.from(content).toString('base64'),
    };
    sendJson(response, 200, { definition, templates: [template] });
  });
  router.post('/definition/draft/run', async (request, response, next) => {
    assertEditor(response, ports);
    const { draft, ...options } = receiveMembers(reportDraftRunSchema, await readText(request, ports.maxBodyBytes));
    const { report } = draftReport(draft, request, response, ports);
    await run(ports, {
      reportIn: () => draft.title,
      loadReport: async () => report,
      mayContinueInBackground: false,
      readBody: async () => JSON.stringify(options),
    })(request, response, next);
  });
}

/** @throws as `layoutOf`; REPORT_INVALID_BODY for conditions that do not fit the model */
function draftReport(draft: ReportDraft, request: Request, response: Response, ports: PreviewRoutePorts) {
  const { application, runPorts, callerOf, availableLocales } = ports;
  const { principal, acceptLanguage } = contextOf(request, response);
  const locale = chooseLocale(acceptLanguage, principal.locale, availableLocales);
  const display = displayIn(runPorts.currentMessages(), locale);
  const layout = layoutOf(draft, { model: application.model, access: callerOf(response).access, display });
  const { outputType, extension, write } = TEMPLATES[draft.template];
  const content = write(draft.title, layout, display);
  const definition = JSON.stringify(layout.definition);
  const name = `${draft.title.replace(/[\p{Cc}\\/:*?"<>|]/gu, '_')}.${extension}`;
  const stored = { ...UNSAVED, name: draft.title, definition, templates: [{ ...TEMPLATE, outputType, name }] };
  const report = loadStored(stored, { ...application, reportGroups: [] });
  if (report.problems.length > 0) throw wrongDraft(report.problems.join('; '));
  const compile: LoadedReport['compile'] = (template, context) =>
    report.compile(template, { ...context, readFile: async () => content });
  return { definition, name, content, report: { ...report, compile } };
}
