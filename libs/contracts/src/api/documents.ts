import { buildDocument, type DocumentParts, type OpenApiDocument } from './build-document.ts';
import { type ApiPaths, genericRoutes, REPORTS_PATH, TAG_DESCRIPTIONS } from './generic-routes.ts';
import { reportRoutes } from './routes/reports/report-routes.ts';
import { WEBHOOKS } from './routes/webhook-routes.ts';
import { apiSchemas } from './schemas/schemas.ts';

/** The version of the API that existing clients detect features by (contract/decisions.md#35). */
export const API_VERSION = '7.2.0';

/** What a document of the REST API says of it, with the versions of the application and of Lintel. */
export const restApiInfo = (title: string, version: string, lintelVersion: string): DocumentParts['info'] => ({
  title,
  version,
  'x-lintel-version': lintelVersion,
  description:
    'Entities, queries, service methods, files, reports, metadata, messages and tokens of the application. Decimals and 64-bit integers are exact: read them with a parser that keeps all digits where they matter, and send them as numbers or as texts.',
});

/**
 * The API of any application (contract/api-documents.md#endpoints).
 *
 * @param info of the application, see `restApiInfo`
 * @param example name of the entity that examples are of
 */
export const genericDocument = (info: DocumentParts['info'], paths: ApiPaths, example?: string): OpenApiDocument =>
  buildDocument({
    info,
    server: '/',
    routes: genericRoutes(paths, example),
    schemas: apiSchemas(),
    webhooks: WEBHOOKS,
    tagDescriptions: TAG_DESCRIPTIONS,
  });

/**
 * The reports API alone (contract/reports.md#reports, contract/api-documents.md#reports).
 *
 * @param routes all, or those that a caller may call; their paths are relative to that of the API
 */
export const reportsDocument = (lintelVersion: string, routes = reportRoutes('')): OpenApiDocument =>
  buildDocument({
    info: {
      title: 'Reports REST API',
      version: '2.2',
      'x-lintel-version': lintelVersion,
      description: 'Reports that the caller may run: their parameters and templates, and the documents that they make.',
    },
    server: REPORTS_PATH,
    routes,
    schemas: apiSchemas(),
    tagDescriptions: TAG_DESCRIPTIONS,
  });
