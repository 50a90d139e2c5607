import { contextOf, serveDocument } from '@lintel/http';
import type { Documents } from '@lintel/openapi';
import type { Router } from 'express';

export interface OpenApiRouteOptions {
  /** Prefix below the router, e.g. `/docs`. */
  readonly path: string;
  /** The current documents in a locale. */
  readonly documents: (locale: string) => Promise<Documents>;
  /** Locale of callers without a locale. */
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
