import {
  BOOLEAN,
  empty,
  inPath,
  inQuery,
  json,
  listOf,
  type ParameterDescription,
  type RouteDescription,
  ref,
  type Schema,
  STRING,
} from './route-description.ts';

const form = (properties: Readonly<Record<string, Schema>>, required: readonly string[]) => ({
  description: 'Form fields',
  content: { 'application/x-www-form-urlencoded': { type: 'object', properties, required } },
  required: true,
});

const GRANTS = ['password', 'refresh_token', 'client_credentials', 'authorization_code'];

function tokenRoute(path: string, operationId: string, grants: readonly string[]): RouteDescription {
  const fields = {
    grant_type: { type: 'string', enum: grants },
    username: STRING,
    password: STRING,
    refresh_token: STRING,
    ...(grants.includes('authorization_code') ? { code: STRING, redirect_uri: STRING, code_verifier: STRING } : {}),
  };
  return {
    method: 'post',
    path,
    operationId,
    tag: 'Tokens',
    summary: `Issues tokens (${grants.join(', ')})`,
    request: form(fields, ['grant_type']),
    responses: {
      200: json('Tokens', ref('Token')),
      400: json('Refused', ref('OAuthError')),
      401: json('Unknown client', ref('OAuthError')),
    },
    security: 'client',
  };
}

const revokeRoute = (path: string, operationId: string): RouteDescription => ({
  method: 'post',
  path,
  operationId,
  tag: 'Tokens',
  summary: 'Revokes a token',
  request: form({ token: STRING, token_type_hint: STRING }, ['token']),
  responses: { 200: empty('Revoked, or never known'), 401: json('Unknown client', ref('OAuthError')) },
  security: 'client',
});

/** The token endpoints, at the application's root (specification 4.1, decisions.md 24). */
export const TOKEN_ROUTES: readonly RouteDescription[] = [
  tokenRoute('/oauth/token', 'issueToken', GRANTS.slice(0, 2)),
  tokenRoute('/oauth2/token', 'issueTokenByAnyGrant', GRANTS),
  revokeRoute('/oauth/revoke', 'revokeToken'),
  revokeRoute('/oauth2/revoke', 'revokeTokenByAnyGrant'),
  {
    method: 'post',
    path: '/oauth2/introspect',
    operationId: 'introspectToken',
    tag: 'Tokens',
    summary: 'Tells whether a token is active',
    request: form({ token: STRING, token_type_hint: STRING }, ['token']),
    responses: {
      200: json('State of the token', {
        type: 'object',
        properties: { active: BOOLEAN },
        required: ['active'],
        additionalProperties: true,
      }),
      401: json('Unknown client', ref('OAuthError')),
    },
    security: 'client',
  },
];

const bytes = (description: string) => ({
  description,
  content: { 'application/octet-stream': { type: 'string', format: 'binary' } },
});

/** `path` is the path of the files API, e.g. `/rest/files`. */
export const fileRoutes = (path: string): readonly RouteDescription[] => [
  {
    method: 'post',
    path,
    operationId: 'uploadFile',
    tag: 'Files',
    summary: 'Stores a file, as the part `file` of a form or as the raw body',
    parameters: [
      inQuery('name', 'File name; needed with a raw body'),
      inQuery('storageName', 'Storage; the default one when absent'),
    ],
    request: {
      description: 'The file',
      content: {
        'multipart/form-data': {
          type: 'object',
          properties: { file: { type: 'string', format: 'binary' } },
          required: ['file'],
        },
        'application/octet-stream': { type: 'string', format: 'binary' },
      },
      required: true,
    },
    responses: { 201: json('Stored', ref('FileInfo'), { Location: 'URL of the file' }) },
    errors: [400, 403, 413],
  },
  {
    method: 'get',
    path,
    operationId: 'downloadFile',
    tag: 'Files',
    summary: 'Reads a file',
    parameters: [
      { ...inQuery('fileRef', 'File reference'), required: true },
      inQuery('attachment', 'Whether a browser shall save the file', BOOLEAN),
    ],
    responses: { 200: bytes('The file'), 206: bytes('A part of the file'), 404: empty('No such file') },
    errors: [400, 403],
  },
];

export interface UserPaths {
  readonly userInfo: string;
  readonly permissions: string;
  readonly capabilities: string;
  readonly version: string;
}

/** Who the caller is and what the API can do (specification 4.11). */
export const userRoutes = (paths: UserPaths): readonly RouteDescription[] => [
  {
    method: 'get',
    path: paths.userInfo,
    operationId: 'getUserInfo',
    tag: 'Current user',
    summary: 'Name, locale and attributes of the caller',
    responses: { 200: json('The caller', ref('UserInfo')) },
    errors: [403],
  },
  {
    method: 'get',
    path: paths.permissions,
    operationId: 'getPermissions',
    tag: 'Current user',
    summary: 'What the caller may do; denied targets have the value 0',
    responses: { 200: json('All permissions', ref('Permissions')) },
    errors: [403],
  },
  {
    method: 'get',
    path: paths.capabilities,
    operationId: 'getCapabilities',
    tag: 'About',
    summary: 'Optional abilities of the API',
    responses: { 200: json('Abilities', ref('Capabilities')) },
  },
  {
    method: 'get',
    path: paths.version,
    operationId: 'getVersion',
    tag: 'About',
    summary: 'Version of the API',
    responses: { 200: { description: 'The version', content: { 'text/plain': STRING } } },
  },
];

const REPORT_TAG = 'Reports';

/** `path` is the path of the reports API, e.g. `/rest/reports`. */
export const reportRoutes = (path: string): readonly RouteDescription[] => [
  {
    method: 'get',
    path: `${path}/report`,
    operationId: 'listReports',
    tag: REPORT_TAG,
    summary: 'Reports that the caller may run',
    responses: { 200: json('Reports', listOf(ref('Report'))) },
    errors: [403],
  },
  {
    method: 'get',
    path: `${path}/report/{id}`,
    operationId: 'getReport',
    tag: REPORT_TAG,
    summary: 'A report with its templates and parameters',
    parameters: [inPath('id', 'Id of the report')],
    responses: { 200: json('The report', ref('ReportDetail')) },
    errors: [403, 404],
  },
  {
    method: 'get',
    path: `${path}/group/{id}`,
    operationId: 'getReportGroup',
    tag: REPORT_TAG,
    summary: 'A group of reports',
    parameters: [inPath('id', 'Id of the group')],
    responses: { 200: json('The group', ref('ReportGroup')) },
    errors: [403, 404],
  },
  runRoute(`${path}/run/{id}`, 'runReport', inPath('id', 'Id of the report')),
  runRoute(`${path}/run/code/{code}`, 'runReportByCode', inPath('code', 'Code of the report')),
];

const runRoute = (path: string, operationId: string, parameter: ParameterDescription): RouteDescription => ({
  method: 'post',
  path,
  operationId,
  tag: REPORT_TAG,
  summary: 'Runs a report and answers the document',
  parameters: [parameter],
  request: json('Template and parameters', ref('ReportRun')),
  responses: { 200: bytes('The document, with the content type of its output') },
  errors: [400, 403, 404],
});
