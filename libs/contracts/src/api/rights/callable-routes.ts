import { AGGREGATES_PATH, type ApiPaths, IMPORTS_PATH, REPORTS_PATH } from '../generic-routes.ts';
import type { RouteDescription } from '../route-description.ts';

/** What is done with the instances of an entity. */
export type RouteAction = 'create' | 'read' | 'update' | 'delete';

/** The rights of one caller that decide which routes a document for this caller has. */
export interface RouteRights {
  /** Whether requests to the path pass the checks before those of the route itself: token, right to use the API. */
  mayUse(path: string): boolean;
  /** Whether all actions are granted on one of the entities: the one with the name, or any one for undefined. */
  allows(entity: string | undefined, actions: readonly RouteAction[]): boolean;
  hasSpecific(name: string): boolean;
}

/**
 * The routes that the caller may call (contract/api-documents.md#for-me). Row-level policies are not asked: they decide
 * about instances.
 */
export const callableRoutes = (
  routes: readonly RouteDescription[],
  paths: ApiPaths,
  rights: RouteRights,
): readonly RouteDescription[] => routes.filter((route) => isCallable(route, paths, rights));

function isCallable(route: RouteDescription, paths: ApiPaths, rights: RouteRights): boolean {
  // Tokens are requested by clients, and keys are public.
  if (route.security !== undefined) return true;
  if (!rights.mayUse(route.path)) return false;
  const below = belowOf(route.path, paths.basePath);
  const reports = belowOf(route.path, REPORTS_PATH);
  if (reports !== undefined) return isCallableReport(reports, rights);
  if (below === undefined) return true;
  const instances = belowOf(below, paths.entitiesPath);
  if (instances?.includes('/versions') === true) return rights.allows(entityOf(instances), ['read', 'update']);
  if (instances !== undefined) return rights.allows(entityOf(instances), actionsOf(route));
  const rows = [AGGREGATES_PATH, paths.queriesPath, paths.changesPath]
    .map((path) => belowOf(below, path))
    .find((path) => path !== undefined);
  if (rows !== undefined) return rights.allows(entityOf(rows), ['read']);
  const imported = belowOf(below, IMPORTS_PATH);
  if (imported !== undefined) return rights.allows(entityOf(imported), ['create', 'update']);
  const files = belowOf(below, paths.filesPath);
  if (files !== undefined)
    return rights.hasSpecific(
      files === '' && route.method === 'get' ? 'rest.fileDownload.enabled' : 'rest.fileUpload.enabled',
    );
  const rightsOf = belowOf(below, paths.rightsPath);
  if (rightsOf !== undefined) return rightsOf === '/needed' || rights.hasSpecific(rightsPermission(rightsOf));
  if (belowOf(below, paths.clientsPath) !== undefined) return rights.hasSpecific('clients.manage');
  const operations = belowOf(below, paths.operationsPath);
  if (operations !== undefined) return mayOperate(operations, route, rights);
  return true;
}

/** Each part of the operation has a permission of its own (contract/operations.md#permissions). */
function mayOperate(below: string, { method }: RouteDescription, { hasSpecific, allows }: RouteRights): boolean {
  if (below === '/processes' || below === '/queues' || below === '/links') return hasSpecific('health.view');
  if (below.startsWith('/processes/')) return hasSpecific('configuration.view');
  if (below === '/slow-statements') return hasSpecific('statements.view');
  if (below.startsWith('/unreferenced-files')) return hasSpecific('files.manage');
  if (/^\/job(s|-runs)(\/|$)/.test(below)) return hasSpecific(method === 'get' ? 'jobs.read' : 'jobs.manage');
  if (below === '/event-handlers') return hasSpecific('health.view');
  if (below.startsWith('/event-handlers/')) return hasSpecific('event-handlers.manage');
  if (below === '/mailbox') return hasSpecific('mailbox.view');
  if (below === '/schema') return hasSpecific('schema.view');
  if (below === '/security-events') return hasSpecific('security-events.view');
  if (below === '/identity-providers') return hasSpecific('identity-providers.view');
  if (below.startsWith('/identity-providers/')) return hasSpecific('identity-providers.test');
  if (below.startsWith('/webhooks/')) return allows('sys_Webhook', ['read', 'update']);
  if (method !== 'get') return hasSpecific('dead-letters.manage');
  return hasSpecific(below === '/dead-letters' ? 'dead-letters.view' : 'dead-letters.content.view');
}

/** The specific permission of a route below `/rights` (contract/rights.md#rights). */
function rightsPermission(path: string): string {
  if (path === '/see-as') return 'sessions.see-as';
  return path === '/preview' || path === '/explanation' ? 'rights.preview' : 'rights.view';
}

/** The same for the routes of the reports API alone; their paths are relative to its own. */
export const callableReportRoutes = (
  routes: readonly RouteDescription[],
  rights: Pick<RouteRights, 'mayUse' | 'allows'>,
): readonly RouteDescription[] =>
  routes.filter(({ path }) => rights.mayUse(`${REPORTS_PATH}${path}`) && isCallableReport(path, rights));

/** For those who may change reports: data, checks of definitions, versions. */
const OF_EDITORS = /^\/(?:definition\/|report\/[^/]+\/)/;

function isCallableReport(path: string, { allows }: Pick<RouteRights, 'allows'>): boolean {
  if (belowOf(path, '/docs') !== undefined) return true;
  if (path.endsWith('/copy')) return allows('report_Report', ['read', 'update', 'create']);
  if (OF_EDITORS.test(path)) return allows('report_Report', ['read', 'update']);
  return allows(belowOf(path, '/group') === undefined ? 'report_Report' : 'report_ReportGroup', ['read']);
}

/** The rest of a path, which is empty or begins with a slash; undefined if the path is elsewhere. */
function belowOf(path: string, prefix: string): string | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const below = path.slice(prefix.length);
  return below === '' || below.startsWith('/') ? below : undefined;
}

/** The entity that a path is of; undefined for those of any entity. */
function entityOf(below: string): string | undefined {
  const [, segment = ''] = below.split('/', 2);
  return segment === '' || segment.startsWith('{') ? undefined : segment;
}

/** An update and a deletion load the instance with the rights of the caller (contract/roles.md#operations). */
function actionsOf({ method, path }: RouteDescription): readonly RouteAction[] {
  if (method === 'get' || /\/search(\/|$)/.test(path)) return ['read'];
  if (method === 'post') return ['create'];
  return ['read', method === 'delete' ? 'delete' : 'update'];
}
