/** The routes of the API, of every service: what OpenAPI documents are written from. */
export { buildDocument, type DocumentInfo, type DocumentParts, type OpenApiDocument } from './build-document.ts';
export { identifierOf } from './distinct-names.ts';
export { API_VERSION, genericDocument, reportsDocument, restApiInfo } from './documents.ts';
export { exampleOfSchema } from './example-of-schema.ts';
export {
  ACCESS_LOG_PATH,
  AGGREGATES_PATH,
  type ApiPaths,
  CALL_RUNS_PATH,
  genericRoutes,
  HISTORY_PATH,
  IMPORTS_PATH,
  REPORTS_PATH,
  SEARCH_PATH,
  TAG_DESCRIPTIONS,
} from './generic-routes.ts';
export { knownParameters } from './known-parameters.ts';
export { callableReportRoutes, callableRoutes, type RouteAction, type RouteRights } from './rights/callable-routes.ts';
export {
  BOOLEAN,
  inPath,
  inQuery,
  jsonText,
  listOf,
  objectOf,
  type ParameterDescription,
  type RouteDescription,
  ref,
  requiring,
  type Schema,
  STRING,
} from './route-description.ts';
export { entityRoutes } from './routes/entities/entity-routes.ts';
export type { EntitySubject, EntityTexts } from './routes/entities/entity-subject.ts';
export { type QuerySubject, queryRoutes } from './routes/entities/query-routes.ts';
export { type MethodSubject, methodRoutes } from './routes/entities/service-routes.ts';
export { fileRoutes } from './routes/files/file-routes.ts';
export { INTEGERS, type IntegerParameter } from './routes/integers.ts';
export { FILE_REFERENCE, KEY_TEXT, MAX_SEARCH_LENGTH, NAME } from './routes/parameters.ts';
export { reportRoutes } from './routes/reports/report-routes.ts';
export { WEBHOOKS } from './routes/webhook-routes.ts';
export { apiKeyBody } from './schemas/api-key-schemas.ts';
export { importBody } from './schemas/entity-schemas.ts';
export { restoreBody } from './schemas/history-schemas.ts';
export { listViewBody, type QuestionChart } from './schemas/list-view-schemas.ts';
export { notificationsReadBody } from './schemas/notification-schemas.ts';
export { definitionCheckBody, reportCopyBody } from './schemas/report-schemas.ts';
export { versionCommentBody, versionRestorationBody } from './schemas/report-version-schemas.ts';
export { rowPolicyBody, rowPreviewBody, seeAsBody } from './schemas/rights-schemas.ts';
export { apiSchemas, appConfirmationBody } from './schemas/schemas.ts';
export { visibleName } from './schemas/texts.ts';
export { toOpenApi30 } from './versions/to-open-api-30.ts';
