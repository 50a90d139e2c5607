import type { RouteDescription } from './route-description.ts';
import { asyncDocumentRoute, documentRoutes } from './routes/document-routes.ts';
import { aggregateRoutes } from './routes/entities/aggregate-routes.ts';
import { changeRoutes } from './routes/entities/change-routes.ts';
import { entityRoutes } from './routes/entities/entity-routes.ts';
import { anyEntity } from './routes/entities/entity-subject.ts';
import { accessLogRoute, historyRoutes } from './routes/entities/history-routes.ts';
import { importRoute } from './routes/entities/import-route.ts';
import { messageRoutes, metadataRoutes } from './routes/entities/metadata-routes.ts';
import { anyQuery, callableQueriesRoute, queryListRoute, queryRoutes } from './routes/entities/query-routes.ts';
import { searchAllRoute } from './routes/entities/search-all-route.ts';
import { ANY_METHOD, callRunRoutes, methodRoutes, serviceListRoutes } from './routes/entities/service-routes.ts';
import { fileRoutes } from './routes/files/file-routes.ts';
import { unreferencedFileRoutes } from './routes/files/unreferenced-file-routes.ts';
import { apiKeyRoutes } from './routes/identity/api-key-routes.ts';
import { clientRoutes } from './routes/identity/client-routes.ts';
import { rightsRoutes } from './routes/identity/rights-routes.ts';
import { TOKEN_ROUTES } from './routes/identity/token-routes.ts';
import { userRoutes } from './routes/identity/user-routes.ts';
import { jobRoutes } from './routes/job-routes.ts';
import { operationRoutes } from './routes/operation-routes.ts';
import { reportRoutes } from './routes/reports/report-routes.ts';
import { reportVersionRoutes } from './routes/reports/report-version-routes.ts';

/** Where the parts of the API are (`svc.rest.*-path`): the base path, the others below it. */
export interface ApiPaths {
  readonly basePath: string;
  readonly entitiesPath: string;
  readonly changesPath: string;
  readonly docsPath: string;
  readonly metadataPath: string;
  readonly filesPath: string;
  readonly messagesPath: string;
  readonly permissionsPath: string;
  readonly queriesPath: string;
  readonly servicesPath: string;
  readonly userInfoPath: string;
  readonly userSessionPath: string;
  readonly apiKeysPath: string;
  readonly clientsPath: string;
  readonly operationsPath: string;
  readonly rightsPath: string;
  readonly ticketsPath: string;
  readonly capabilitiesPath: string;
}

/** The path of the history of instances, below the base path. */
export const HISTORY_PATH = '/history';

/** The path of the access log, below the base path. */
export const ACCESS_LOG_PATH = '/access-log';

/** The path of aggregates, below the base path. */
export const AGGREGATES_PATH = '/aggregates';
/** The path of the search in all entities, below the base path. */
export const SEARCH_PATH = '/search';
/** Below the base path: calls that continue without their clients. */
export const CALL_RUNS_PATH = '/service-runs';

/** The path of imports, below the base path. */
export const IMPORTS_PATH = '/imports';

/** The prefix of the reports API; the same with any base path (contract/conventions.md#endpoints). */
export const REPORTS_PATH = '/rest/reports';

/**
 * All routes of the generic API, of every service, under the configured paths.
 *
 * @param exampleEntity name of an entity that examples are of
 */
export function genericRoutes(paths: ApiPaths, exampleEntity?: string): readonly RouteDescription[] {
  const below = (path: string): string => `${paths.basePath}${path}`;
  const examples = exampleEntity === undefined ? {} : { entityName: exampleEntity };
  return [
    ...TOKEN_ROUTES,
    ...entityRoutes(below(paths.entitiesPath), anyEntity(examples)),
    ...aggregateRoutes(below(AGGREGATES_PATH), exampleEntity),
    searchAllRoute(below(SEARCH_PATH)),
    importRoute(below(IMPORTS_PATH), exampleEntity),
    ...changeRoutes(below(paths.changesPath), exampleEntity),
    ...historyRoutes(below(HISTORY_PATH), exampleEntity),
    accessLogRoute(below(ACCESS_LOG_PATH)),
    callableQueriesRoute(below(paths.queriesPath)),
    queryListRoute(below(paths.queriesPath), exampleEntity),
    ...queryRoutes(below(paths.queriesPath), anyQuery(exampleEntity)),
    ...serviceListRoutes(below(paths.servicesPath)),
    ...methodRoutes(below(paths.servicesPath), ANY_METHOD),
    ...callRunRoutes(below(CALL_RUNS_PATH)),
    ...fileRoutes(below(paths.filesPath)),
    ...userRoutes({
      userInfo: below(paths.userInfoPath),
      permissions: below(paths.permissionsPath),
      userSession: below(paths.userSessionPath),
      tickets: below(paths.ticketsPath),
      capabilities: below(paths.capabilitiesPath),
      version: below('/version'),
    }),
    ...apiKeyRoutes(below(paths.apiKeysPath)),
    ...clientRoutes(below(paths.clientsPath)),
    ...operationRoutes(below(paths.operationsPath)),
    ...unreferencedFileRoutes(below(paths.operationsPath)),
    ...jobRoutes(below(paths.operationsPath)),
    ...rightsRoutes(below(paths.rightsPath), exampleEntity),
    ...metadataRoutes(below(paths.metadataPath), exampleEntity),
    ...messageRoutes(below(paths.messagesPath), exampleEntity),
    ...reportVersionRoutes(below(paths.entitiesPath)),
    ...reportRoutes(REPORTS_PATH),
    asyncDocumentRoute(below(paths.docsPath)),
    ...documentRoutes(below(paths.docsPath), {
      documents: ['openapi', 'openapiDetailed'],
      suffix: '',
      isForEveryUser: true,
    }),
  ];
}

/** What the tags of the generic routes stand for. */
export const TAG_DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ['Tokens', 'Tokens of OAuth 2: issued, revoked, looked at'],
  ['Entities', 'Instances of the entities of the application: read, created, changed, deleted'],
  ['Search', 'Instances that meet a filter, and their number'],
  ['Changes', 'What happens to instances, as it happens'],
  ['History', 'What has changed in instances, and who did it'],
  ['Queries', 'Predefined queries of the application'],
  ['Services', 'Service methods of the application'],
  ['Files', 'Upload and download'],
  ['Current user', 'Who the caller is and what the caller may do'],
  ['Clients', 'OAuth clients in the database, administered by callers with `clients.manage`'],
  ['Operation', 'Processes, queues, dead letters and the schema of the running system'],
  ['Rights', 'Roles, and what other users may do and see, for administrators'],
  ['About', 'What the API can do'],
  ['Metadata', 'Entities, fetch plans, enums and datatypes'],
  ['Messages', 'Captions in the language of the caller'],
  ['Reports', 'Reports that may be run through the API'],
  ['Documentation', 'Documents like this one'],
]);
