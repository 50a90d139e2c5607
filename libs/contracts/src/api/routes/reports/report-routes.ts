import {
  empty,
  inHeader,
  inPath,
  json,
  listOf,
  type ParameterDescription,
  type RouteDescription,
  ref,
  routeOf,
} from '../../route-description.ts';
import { documentRoutes } from '../document-routes.ts';
import { bytesOf } from '../files/bytes.ts';

import { UUID, VERSION_NUMBER } from '../parameters.ts';

const route = routeOf('Reports');
const RUN_ID = inPath('runId', 'Id of the run', UUID);
const PREFER = inHeader('Prefer', '`respond-async`: the run continues in the background');
const REPORT_ID = inPath('reportId', 'Id of the report', UUID);
const VERSION_RIGHTS =
  'Needs the rights to read and to update reports, and to read all templates of reports; SQL needs `reports.sql.edit`, and must be that of the report as it is now.';

/** `path` is the path of the reports API, e.g. `/rest/reports` (contract/reports.md#reports). */
export const reportRoutes = (path: string): readonly RouteDescription[] => [
  route('get', `${path}/report`, 'listReports', {
    summary: 'Reports that the caller may run',
    description:
      'Returns the reports whose right to run the caller has. Reports that are defined in code come with their templates and parameters.',
    responses: { 200: json('Reports', listOf(ref('Report'))) },
    errors: [406],
  }),
  route('get', `${path}/report/{reportId}`, 'getReport', {
    summary: 'A report with its templates and parameters',
    description: 'A run needs the codes of the templates, and the aliases and types of the parameters.',
    parameters: [REPORT_ID],
    responses: { 200: json('The report', ref('ReportDetail')) },
    errors: [406],
  }),
  route('get', `${path}/group/{groupId}`, 'getReportGroup', {
    summary: 'A group of reports',
    description: 'Groups arrange reports in menus. The list of the reports names the group of each report.',
    parameters: [inPath('groupId', 'Id of the group', UUID)],
    responses: { 200: json('The group', ref('ReportGroup')) },
    errors: [406],
  }),
  ...editingRoutes(path),
  ...versionRoutes(`${path}/report/{reportId}/versions/{number}`),
  runRoute(`${path}/run/{reportId}`, 'runReport', REPORT_ID),
  runRoute(`${path}/run/code/{code}`, 'runReportByCode', inPath('code', 'Code of the report')),
  ...backgroundRoutes(`${path}/runs`),
  ...documentRoutes(`${path}/docs`, { documents: ['openapi'], suffix: 'OfReports', isForEveryUser: false }),
];

/** The document of a run. */
const DOCUMENT: RouteDescription['responses'][number] = {
  description: 'The document, with the content type of its output',
  content: bytesOf('*/*'),
  headers: { 'Content-Disposition': '`inline` or `attachment`, with the name of the document' },
};

/** What is made and checked before it is saved (contract/reports.md#preview, #definition-check, #copy, #drafts). */
const editingRoutes = (path: string): readonly RouteDescription[] => [
  route('post', `${path}/report/{reportId}/data`, 'previewReportData', {
    summary: 'The first rows of the data sets of a report',
    description:
      'Returns at most 50 rows of each band, with the rights of the caller. Needs the right to update reports; a report with SQL needs `reports.sql.edit`, too. Reports that are defined in code have no preview.',
    parameters: [REPORT_ID],
    request: json('Parameters; `{}` when absent', ref('ReportRun')),
    responses: { 200: json('The bands, in the order of the definition', ref('ReportData')) },
  }),
  route('post', `${path}/definition/check`, 'checkReportDefinition', {
    summary: 'The problems of a definition that is not saved, and of its templates',
    description:
      'Compares the text of the attribute `definition` of `report_Report` with the model: names, parameters, bands and data sets; and templates with the bands: aliases, ranges, tables, references, formats. Needs the right to update reports.',
    request: json('The definition', ref('ReportDefinitionCheck')),
    responses: { 200: json('What a run would refuse or leave out', ref('ReportDefinitionProblems')) },
  }),
  route('post', `${path}/report/{reportId}/copy`, 'copyReport', {
    summary: 'Copies a report into the database',
    description:
      'The new report has the definition, the templates with their files and the group; of the roles of its definition those that the caller may give. Reports that are defined in code are copied if they have no functions. Needs the rights to read, to update and to create reports, and to create templates.',
    parameters: [REPORT_ID],
    request: { ...json('The names of the copy', ref('ReportCopy')), required: true },
    responses: {
      201: json('The copy', ref('CopiedReport'), { Location: 'Where the copy is' }),
      400: json('Violated rules, or another mistake of the request', ref('Refusal')),
    },
    errors: [409],
  }),
  route('post', `${path}/definition/draft`, 'draftReport', {
    summary: 'Makes a simple report of an entity',
    description:
      'Returns a definition and a template, and stores nothing. Only attributes that the caller may read are possible. Needs the right to update reports.',
    request: { ...json('What the report shows', ref('ReportDraft')), required: true },
    responses: { 200: json('The report', ref('DraftedReport')) },
  }),
  route('post', `${path}/definition/draft/run`, 'runReportDraft', {
    summary: 'Runs a simple report that is not saved',
    description: 'The client waits for the document. Needs the right to update reports.',
    request: { ...json('What the report shows', ref('ReportDraftRun')), required: true },
    responses: { 200: DOCUMENT },
  }),
];

/** Runs that were started with `Prefer: respond-async`. */
const backgroundRoutes = (path: string): readonly RouteDescription[] => [
  route('get', path, 'listReportRuns', {
    summary: "The caller's runs in the background",
    description: 'The 50 newest runs that were started with `Prefer: respond-async`, the newest first.',
    responses: { 200: json('The runs', listOf(ref('BackgroundReportRun'))) },
  }),
  route('get', `${path}/{runId}`, 'getReportRun', {
    summary: 'A run of the caller in the background',
    description:
      'Returns the progress of a run that was started with `Prefer: respond-async`, and the reference of its document when it has ended.',
    parameters: [RUN_ID],
    responses: {
      200: json('How far the run is, and how it ended', ref('BackgroundReportRun'), {
        'Retry-After': 'Seconds to wait before asking again; absent when the run has ended',
      }),
    },
  }),
  route('delete', `${path}/{runId}`, 'cancelReportRun', {
    summary: 'Cancels a run that has not ended',
    description: 'The run ends as soon as possible, and its status becomes `CANCELLED`. A run that has ended is 409.',
    parameters: [RUN_ID],
    responses: { 204: empty('Cancelled') },
    errors: [409],
  }),
];

/** Versions that are run without being restored (contract/reports.md#version-previews). */
const versionRoutes = (path: string): readonly RouteDescription[] => [
  route('get', path, 'getReportOfVersion', {
    summary: 'A version of a report with its templates and parameters',
    description: `What a run of the version needs. ${VERSION_RIGHTS}`,
    parameters: [REPORT_ID, VERSION_NUMBER],
    responses: { 200: json('The report as it was', ref('ReportDetail')) },
  }),
  route('post', `${path}/data`, 'previewReportDataOfVersion', {
    summary: 'The first rows of the data sets of a version of a report',
    description: `As of the report that is saved. ${VERSION_RIGHTS}`,
    parameters: [REPORT_ID, VERSION_NUMBER],
    request: json('Parameters; `{}` when absent', ref('ReportRun')),
    responses: { 200: json('The bands, in the order of the definition', ref('ReportData')) },
  }),
  route('post', `${path}/run`, 'runReportVersion', {
    summary: 'Runs a version of a report without restoring it, and returns the document',
    description: `Nothing of the report changes. The client waits for the document. ${VERSION_RIGHTS}`,
    parameters: [REPORT_ID, VERSION_NUMBER],
    request: json('Template and parameters; `{}` when absent', ref('ReportRun')),
    responses: { 200: DOCUMENT },
  }),
];

const runRoute = (path: string, operationId: string, parameter: ParameterDescription): RouteDescription =>
  route('post', path, operationId, {
    summary: 'Runs a report and returns the document',
    description:
      'The document has the content type of the output type of the template. With `Prefer: respond-async` the run continues in the background, and the response names the URL of the run.',
    parameters: [parameter, PREFER],
    request: json('Template and parameters; `{}` when absent', ref('ReportRun')),
    responses: {
      200: DOCUMENT,
      202: json('The run, where the client does not wait for it', ref('BackgroundReportRun'), {
        Location: 'Where the run is',
        'Preference-Applied': '`respond-async`',
        'Retry-After': 'Seconds to wait before asking for the run',
      }),
    },
  });
