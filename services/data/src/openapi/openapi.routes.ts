import { contextOf, serveDocument } from '@lintel/http';
import type { Documents } from '@lintel/openapi';
import type { Router } from 'express';
import type { CallerDocuments } from './caller-documents.ts';

export interface OpenApiRouteOptions {
  /** Prefix below the router, e.g. `/docs`. */
  readonly path: string;
  /** The current documents in a locale. */
  readonly documents: (locale: string) => Promise<Documents>;
  /** Those that are limited to the rights of a caller. */
  readonly callerDocuments: CallerDocuments['find'];
  /** Locale of callers without a locale. */
  readonly defaultLocale: string;
}

/** `GET /docs/openapi.json`, `openapi.yaml` and the detailed ones (contract/api-documents.md#endpoints). */
export function registerOpenApiRoutes(
  router: Router,
  { path, documents, callerDocuments, defaultLocale }: OpenApiRouteOptions,
): void {
  for (const name of ['openapi', 'openapiDetailed'] as const)
    serveDocument(router, `${path}/${name}`, async (request, response, wanted) => {
      const { principal } = contextOf(request, response);
      const locale = principal.locale ?? defaultLocale;
      // Names of entities and attributes are for callers with a token.
      if (wanted.isForCaller || (name === 'openapiDetailed' && principal.kind === 'anonymous'))
        return callerDocuments(name, principal, locale, wanted);
      return (await documents(locale))[name][wanted.openapi];
    });
}
