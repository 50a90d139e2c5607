import { contextOf, serveDocument } from '@lintel/http';
import type { Documents } from '@lintel/openapi';
import type { Router } from 'express';

export interface OpenApiRouteOptions {
  /** E.g. `/docs`. */
  readonly path: string;
  /** The documents of this moment in a locale. */
  readonly documents: (locale: string) => Promise<Documents>;
  /** For callers without a locale. */
  readonly defaultLocale: string;
}

/** `GET /docs/openapi.json`, `openapi.yaml` and the detailed ones (contract/api-documents.md#endpoints). */
export function registerOpenApiRoutes(router: Router, { path, documents, defaultLocale }: OpenApiRouteOptions): void {
  for (const name of ['openapi', 'openapiDetailed'] as const)
    serveDocument(router, `${path}/${name}`, async (request, response) => {
      const { principal } = contextOf(request, response);
      return (await documents(principal.locale ?? defaultLocale))[name];
    });
}
