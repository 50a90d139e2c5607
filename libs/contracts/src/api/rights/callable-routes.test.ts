import { genericRoutes } from '../generic-routes.ts';
import { reportRoutes } from '../routes/reports/report-routes.ts';
import { callableReportRoutes, callableRoutes, type RouteRights } from './callable-routes.ts';

const PATHS = {
  basePath: '/api',
  entitiesPath: '/entities',
  changesPath: '/changes',
  docsPath: '/docs',
  metadataPath: '/metadata',
  filesPath: '/files',
  messagesPath: '/messages',
  permissionsPath: '/permissions',
  queriesPath: '/queries',
  servicesPath: '/services',
  userInfoPath: '/userInfo',
  userSessionPath: '/user-session',
  apiKeysPath: '/api-keys',
  clientsPath: '/clients',
  operationsPath: '/operations',
  rightsPath: '/rights',
  ticketsPath: '/tickets',
  capabilitiesPath: '/capabilities',
};
const rights = (granted: readonly string[], mayUse: RouteRights['mayUse'] = () => true): RouteRights => ({
  mayUse,
  allows: (entity, actions) => actions.every((action) => granted.includes(`${entity ?? '*'}:${action}`)),
  hasSpecific: (name) => granted.includes(name),
});
const idsOf = (given: RouteRights): readonly string[] =>
  callableRoutes(genericRoutes(PATHS), PATHS, given).map(({ operationId }) => operationId);
const ABOUT_ENTITIES = /Entit|Quer|hanges/;

test('without any right there are tokens and what needs none', () => {
  const ids = idsOf(rights([]));
  expect(ids).toEqual(expect.arrayContaining(['issueToken', 'listServices', 'readOpenApiJson', 'getNeededRight']));
  expect(ids.filter((id) => /Entit(y|ies)(ByUrl)?$|File$|Report$|^runQuery/.test(id))).toEqual([]);
});

test.each([
  [
    ['*:read'],
    ['listEntities', 'getEntity', 'searchEntities', 'countEntities', 'runQuery', 'listQueries', 'listCallableQueries'],
  ],
  [['*:create'], ['createEntities']],
  [
    ['*:read', '*:update'],
    ['updateEntities', 'updateEntity'],
  ],
  [
    ['*:read', '*:delete'],
    ['deleteEntities', 'deleteEntity'],
  ],
  [['rest.fileUpload.enabled'], ['uploadFile', 'createUpload', 'getUploadOffset', 'getUploadedFile', 'endUpload']],
  [['rest.fileDownload.enabled'], ['downloadFile']],
  [['clients.manage'], ['listClients', 'createClient', 'deleteClientSecret']],
  [['health.view'], ['listProcesses', 'readQueues', 'readOperationLinks']],
  [['security-events.view'], ['listSecurityEvents']],
  [['identity-providers.view'], ['listIdentityProviders']],
  [['identity-providers.test'], ['testIdentityProvider']],
  [['rights.view'], ['listRoles', 'compareRoles', 'getPermissionsOfUser', 'checkRowPolicy']],
  [['rights.preview'], ['previewRows', 'explainAccess']],
  [['sessions.see-as'], ['seeAs', 'endSeeAs']],
  [['report_Report:read'], ['listReports', 'runReportByCode']],
  [['report_ReportGroup:read'], ['getReportGroup']],
])('%j adds %j', (granted, added) => {
  const without = idsOf(rights([]));
  const ids = idsOf(rights(granted));
  expect(ids).toEqual(expect.arrayContaining(added));
  expect(without.filter((id) => added.includes(id))).toEqual([]);
});

// Asserts contract/api-documents.md#for-me.
test('an update and a deletion need the right to read, too', () => {
  const ids = idsOf(rights(['*:update', '*:delete']));
  expect(ids.filter((id) => /^(update|delete)Entit/.test(id))).toEqual([]);
});

test('paths that the caller may not use have no operations', () => {
  const ids = idsOf(rights(['*:read', 'rest.fileUpload.enabled'], (path) => path === '/api/version'));
  expect(ids.filter((id) => ABOUT_ENTITIES.test(id) || id === 'uploadFile')).toEqual([]);
  expect(ids).toContain('issueToken');
});

test('the reports need the right to read them', () => {
  const idsOfReports = (granted: readonly string[]): readonly string[] =>
    callableReportRoutes(reportRoutes(''), rights(granted)).map(({ operationId }) => operationId);
  expect(idsOfReports([])).toEqual(['readOpenApiJsonOfReports', 'readOpenApiYamlOfReports']);
  expect(idsOfReports(['report_Report:read'])).toEqual(expect.arrayContaining(['listReports', 'cancelReportRun']));
  const ofEditors = ['previewReportData', 'checkReportDefinition', 'runReportVersion'];
  expect(idsOfReports(['report_Report:read']).filter((id) => ofEditors.includes(id))).toEqual([]);
  expect(idsOfReports(['report_Report:read', 'report_Report:update'])).toEqual(expect.arrayContaining(ofEditors));
});
