import { createMemo, declareCache, type Memo } from '@lintel/cache';
import {
  callableReportRoutes,
  type Principal,
  type RouteRights,
  reportRoutes,
  reportsDocument,
} from '@lintel/contracts';
import { type DocumentVersions, documentVersions, LINTEL_VERSION, serveDocument } from '@lintel/http';
import type { Access } from '@lintel/security';
import type { Response, Router } from 'express';

const DOCUMENTS = declareCache({
  name: 'report-documents',
  holds: 'the OpenAPI documents of the reports for callers, as JSON and YAML, each created at its first use',
  where: ['reports'],
  keyedBy: 'routes that the caller may call',
  maxEntries: 16,
  invalidatedBy: [],
  staleness: 'of its versions',
  whileAway: 'no source',
});

interface Caller {
  readonly principal: Pick<Principal, 'kind'>;
  readonly access: Access;
}

export interface DocumentRouteOptions {
  readonly callerOf: (response: Response) => Caller;
  readonly isAnonymousUrl: (path: string) => boolean;
}

/**
 * `GET /docs/openapi.json` and `.yaml`: the document of the reports API (contract/reports.md#reports,
 * contract/api-documents.md#reports).
 */
export function registerDocumentRoutes(router: Router, { callerOf, isAnonymousUrl }: DocumentRouteOptions): void {
  const whole = documentVersions(() => reportsDocument(LINTEL_VERSION));
  const limited: Memo<string, DocumentVersions> = createMemo(DOCUMENTS);
  const routes = reportRoutes('');
  serveDocument(router, '/docs/openapi', (_request, response, { openapi, isForCaller }) => {
    if (!isForCaller) return whole[openapi];
    const callable = callableReportRoutes(routes, rightsOf(callerOf(response), isAnonymousUrl));
    const documents = limited.get(callable.map(({ operationId }) => operationId).join(' '), () =>
      documentVersions(() => reportsDocument(LINTEL_VERSION, callable)),
    );
    return documents[openapi];
  });
}

const rightsOf = (
  { principal, access }: Caller,
  isAnonymousUrl: DocumentRouteOptions['isAnonymousUrl'],
): Pick<RouteRights, 'mayUse' | 'allows'> => ({
  mayUse: (path) =>
    isAnonymousUrl(path) || (principal.kind !== 'anonymous' && access.hasSpecific('reports.rest.enabled')),
  allows: (entity, actions) => entity !== undefined && actions.every((action) => access.allows(entity, action)),
});
