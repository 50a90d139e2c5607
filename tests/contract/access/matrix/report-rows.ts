import { as } from '../../api.ts';
import { period } from './call-rows.ts';
import { MANAGER, type MatrixRow, row, type Statuses, UNKNOWN_TO_MANAGER } from './row.ts';

const REPORTED: Statuses = [401, 403, 403, 403, 200];
/** A run belongs to one user; this one does not exist. */
const NO_RUN = '/rest/reports/runs/00000000-0000-4000-8000-000000000000';
const NO_REPORT = '/rest/reports/report/00000000-0000-4000-8000-000000000000';
const run = () => ({
  parameters: [
    { name: 'from', value: period.from },
    { name: 'to', value: period.to },
  ],
});
/** Ids of the example's reports and groups are made of their codes. */
const reportId = async (find: (report: { code: string; id: string; group: string }) => string): Promise<string> => {
  const reports: { code: string; id: string; group: string }[] = (await as('admin', 'GET', '/reports/report')).json();
  const report = reports.find(({ code }) => code === 'sales-by-customer');
  if (report === undefined) throw new Error('There is no report sales-by-customer');
  return find(report);
};
const NO_VERSIONS = '/rest/entities/report_Report/00000000-0000-4000-8000-000000000000/versions';
const VERSION_ROWS: readonly MatrixRow[] = (
  [
    ['get path', 'GET', ''],
    ['get {path}/:number', 'GET', '/1'],
    ['get {path}/:number/difference', 'GET', '/1/difference'],
    ['patch {path}/:number', 'PATCH', '/1'],
    ['post {path}/:number/restore', 'POST', '/1/restore'],
  ] as const
).map(([route, method, rest]) =>
  row(`data/report-versions.routes.ts ${route}`, method, `${NO_VERSIONS}${rest}`, UNKNOWN_TO_MANAGER, {
    ...(method !== 'GET' && { body: () => ({ comment: 'Comment' }) }),
  }),
);

const DRAFT = { title: 'Draft', entity: 'sales_Product', attributes: ['name'] };

export const REPORT_ROWS: readonly MatrixRow[] = [
  ...VERSION_ROWS,
  row('reports/definitions.routes.ts get /report', 'GET', '/rest/reports/report', REPORTED),
  row(
    'reports/definitions.routes.ts get /report/:id',
    'GET',
    async () => `/rest/reports/report/${await reportId(({ id }) => id)}`,
    REPORTED,
  ),
  row(
    'reports/definitions.routes.ts get /group/:id',
    'GET',
    async () => `/rest/reports/group/${await reportId(({ group }) => group)}`,
    REPORTED,
  ),
  row('reports/runs.routes.ts post /run/code/:name', 'POST', '/rest/reports/run/code/sales-by-customer', REPORTED, {
    body: run,
  }),
  row(
    'reports/runs.routes.ts post /run/:name',
    'POST',
    async () => `/rest/reports/run/${await reportId(({ id }) => id)}`,
    REPORTED,
    { body: run },
  ),
  // The report is unknown: those that the example has are defined in code.
  row('reports/previews.routes.ts post /report/:id/data', 'POST', `${NO_REPORT}/data`, UNKNOWN_TO_MANAGER),
  ...(
    [
      ['get path', 'GET', ''],
      ['post {path}/data', 'POST', '/data'],
      ['post {path}/run', 'POST', '/run'],
    ] as const
  ).map(([route, method, rest]) =>
    row(`reports/versions.routes.ts ${route}`, method, `${NO_REPORT}/versions/1${rest}`, UNKNOWN_TO_MANAGER),
  ),
  row('reports/previews.routes.ts post /definition/check', 'POST', '/rest/reports/definition/check', MANAGER, {
    body: () => ({ definition: '{"bands":[]}' }),
  }),
  row('reports/copies.routes.ts post /report/:id/copy', 'POST', `${NO_REPORT}/copy`, UNKNOWN_TO_MANAGER, {
    body: () => ({ name: 'Copy' }),
  }),
  row('reports/drafts.routes.ts post /definition/draft', 'POST', '/rest/reports/definition/draft', MANAGER, {
    body: () => DRAFT,
  }),
  row('reports/drafts.routes.ts post /definition/draft/run', 'POST', '/rest/reports/definition/draft/run', MANAGER, {
    body: () => ({ draft: DRAFT }),
  }),
  row('reports/background.routes.ts get /runs', 'GET', '/rest/reports/runs', REPORTED),
  ...['GET', 'DELETE'].map((method) =>
    row(`reports/background.routes.ts ${method.toLowerCase()} /runs/:id`, method, NO_RUN, [401, 403, 403, 403, 404]),
  ),
  ...['json', 'yaml'].map((form) => row('(documents)', 'GET', `/rest/reports/docs/openapi.${form}`, REPORTED)),
];
