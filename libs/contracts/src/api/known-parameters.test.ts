import { genericRoutes, REPORTS_PATH } from './generic-routes.ts';
import { knownParameters } from './known-parameters.ts';
import { fileRoutes } from './routes/files/file-routes.ts';
import { reportRoutes } from './routes/reports/report-routes.ts';

const PATHS = {
  basePath: '',
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
const routes = genericRoutes(PATHS);
const known = knownParameters(routes, ({ path }) => path.includes('{queryName}'));
const names = (method: string, path: string) => [...(known(method, path) ?? [])].sort();

test('a route has the parameters of its description, and those that older clients send', () => {
  expect(names('GET', '/entities/sales_Order/1')).toEqual(
    ['access_token', 'deleted', 'dynamicAttributes', 'fetchPlan', 'modelVersion', 'returnNulls', 'view'].sort(),
  );
  expect(names('HEAD', '/entities/sales_Order/1/')).toEqual(names('GET', '/entities/sales_Order/1'));
  expect(names('PUT', '/entities/sales_Order')).toEqual(
    ['access_token', 'dryRun', 'key', 'modelVersion', 'responseFetchPlan', 'responseView'].sort(),
  );
});

test('a literal segment has priority over a parameter of the path', () => {
  expect(names('GET', '/entities/sales_Order/search')).toContain('filter');
  expect(names('GET', '/entities/sales_Order/x')).not.toContain('filter');
});

test('nothing is known of other paths and methods, and of routes whose parameters the application declares', () => {
  expect(known('GET', '/nowhere')).toBeUndefined();
  expect(known('POST', '/entities/sales_Order/1')).toBeUndefined();
  expect(known('GET', '/queries/sales_Order/x')).toBeUndefined();
  expect(names('GET', '/queries/sales_Order')).toEqual(['access_token']);
});

test('files and reports have tables of their own', () => {
  const files = knownParameters(fileRoutes(''));
  expect([...(files('POST', '/') ?? [])].sort()).toEqual(['access_token', 'name', 'storageName']);
  const reports = knownParameters(reportRoutes(''));
  expect(reports('POST', '/run/code/x')?.has('fetchPlan')).toBe(false);
  expect(knownParameters(routes)('POST', `${REPORTS_PATH}/run/code/x`)).toBeDefined();
});
