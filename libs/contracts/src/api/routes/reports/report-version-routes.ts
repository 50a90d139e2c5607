import {
  inHeader,
  inPath,
  json,
  listOf,
  type ParameterDescription,
  type RouteDescription,
  ref,
  routeOf,
} from '../../route-description.ts';
import { INTEGERS } from '../integers.ts';
import { UUID, VERSION_NUMBER } from '../parameters.ts';

const route = routeOf('Reports');
const RIGHTS = 'Needs the rights to read and to update `report_Report`.';
const REPORT_ID: ParameterDescription = {
  ...inPath('entityId', 'The id of a report of the database', UUID),
  example: '5b0c6f60-52a4-4c5e-9b6a-0f7b5f0f3d11',
};

/** Versions of the reports of the database (contract/reports.md#versions). */
export const reportVersionRoutes = (entitiesPath: string): readonly RouteDescription[] => {
  const path = `${entitiesPath}/report_Report/{entityId}/versions`;
  return [
    route('get', path, 'listReportVersions', {
      summary: 'Versions of a report',
      description: `The newest first, without their content. ${RIGHTS}`,
      parameters: [REPORT_ID, INTEGERS.versions, INTEGERS.versionsBefore],
      responses: { 200: json('The versions', listOf(ref('ReportVersionInfo'))) },
    }),
    route('get', `${path}/{number}`, 'getReportVersion', {
      summary: 'A version of a report with its content',
      description: `Attributes that the caller may not view are left out. ${RIGHTS}`,
      parameters: [REPORT_ID, VERSION_NUMBER],
      responses: { 200: json('The version', ref('ReportVersion')) },
    }),
    route('get', `${path}/{number}/difference`, 'compareReportVersions', {
      summary: 'The difference of two versions of a report',
      description: `${RIGHTS} Templates are compared by their codes.`,
      parameters: [REPORT_ID, VERSION_NUMBER, INTEGERS.otherVersion],
      responses: { 200: json('What differs', ref('ReportVersionDifference')) },
    }),
    route('patch', `${path}/{number}`, 'changeReportVersionComment', {
      summary: 'Changes the comment of a version',
      description: RIGHTS,
      parameters: [REPORT_ID, VERSION_NUMBER],
      request: { ...json('The comment', ref('ReportVersionComment')), required: true, example: { comment: 'For May' } },
      responses: { 200: json('The version', ref('ReportVersionInfo')) },
    }),
    route('post', `${path}/{number}/restore`, 'restoreReportVersion', {
      summary: 'Saves a version as the report, which makes a new version',
      description: `${RIGHTS} An update of the report with all its rights, rules and listeners: the caller must be allowed to change all attributes of reports and templates.`,
      parameters: [
        REPORT_ID,
        VERSION_NUMBER,
        inHeader('If-Match', 'The tag of the report; 412 if it has changed since'),
      ],
      request: json('The comment of the new version', ref('ReportVersionRestoration')),
      responses: { 200: json('The new version, or the newest one if nothing differs', ref('ReportVersionInfo')) },
      errors: [409, 412],
    }),
  ];
};
