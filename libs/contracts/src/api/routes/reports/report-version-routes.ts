import {
  inHeader,
  inPath,
  inQuery,
  json,
  listOf,
  type ParameterDescription,
  type RouteDescription,
  ref,
  routeOf,
} from '../../route-description.ts';

const route = routeOf('Reports');
const RIGHTS = 'Needs the rights to read and to update `report_Report`.';
const MAX_NUMBER = 9_999_999;
const REPORT_ID: ParameterDescription = {
  ...inPath('entityId', 'The id of a report of the database'),
  example: '5b0c6f60-52a4-4c5e-9b6a-0f7b5f0f3d11',
};
const NUMBER: ParameterDescription = { ...inPath('number', 'The number of the version'), example: '1' };

const integer = (name: string, description: string, schema: object): ParameterDescription => ({
  ...inQuery(name, description),
  schema: { type: 'integer', minimum: 1, ...schema },
});

/** Versions of the reports of the database (contract/reports.md#versions). */
export const reportVersionRoutes = (entitiesPath: string): readonly RouteDescription[] => {
  const path = `${entitiesPath}/report_Report/{entityId}/versions`;
  return [
    route('get', path, 'listReportVersions', {
      summary: 'Versions of a report',
      description: `The newest first, without their content. ${RIGHTS}`,
      parameters: [
        REPORT_ID,
        integer('limit', 'Maximum number of versions', { maximum: 100, default: 20 }),
        integer('before', 'Only versions with smaller numbers', { maximum: MAX_NUMBER }),
      ],
      responses: { 200: json('The versions', listOf(ref('ReportVersionInfo'))) },
      errors: [400, 403, 404],
    }),
    route('get', `${path}/{number}`, 'getReportVersion', {
      summary: 'A version of a report with its content',
      description: `Attributes that the caller may not view are left out. ${RIGHTS}`,
      parameters: [REPORT_ID, NUMBER],
      responses: { 200: json('The version', ref('ReportVersion')) },
      errors: [400, 403, 404],
    }),
    route('get', `${path}/{number}/difference`, 'compareReportVersions', {
      summary: 'The difference of two versions of a report',
      description: `${RIGHTS} Templates are compared by their codes.`,
      parameters: [
        REPORT_ID,
        NUMBER,
        integer('with', 'The number of the other version; the newest one when absent', { maximum: MAX_NUMBER }),
      ],
      responses: { 200: json('What differs', ref('ReportVersionDifference')) },
      errors: [400, 403, 404],
    }),
    route('patch', `${path}/{number}`, 'changeReportVersionComment', {
      summary: 'Changes the comment of a version',
      description: RIGHTS,
      parameters: [REPORT_ID, NUMBER],
      request: { ...json('The comment', ref('ReportVersionComment')), required: true, example: { comment: 'For May' } },
      responses: { 200: json('The version', ref('ReportVersionInfo')) },
      errors: [400, 403, 404, 413],
    }),
    route('post', `${path}/{number}/restore`, 'restoreReportVersion', {
      summary: 'Saves a version as the report, which makes a new version',
      description: `${RIGHTS} An update of the report with all its rights, rules and listeners: the caller must be allowed to change all attributes of reports and templates.`,
      parameters: [REPORT_ID, NUMBER, inHeader('If-Match', 'The tag of the report; 412 if it has changed since')],
      request: json('The comment of the new version', ref('ReportVersionRestoration')),
      responses: { 200: json('The new version, or the newest one if nothing differs', ref('ReportVersionInfo')) },
      errors: [400, 403, 404, 409, 412, 413],
    }),
  ];
};
