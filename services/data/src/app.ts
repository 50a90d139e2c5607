import { aboutFeature } from './about/about.feature.ts';
import { accessLogFeature } from './access-log/access-log.feature.ts';
import { aggregatesFeature } from './aggregates/aggregates.feature.ts';
import { assembleApp, type DataService } from './assemble-app.ts';
import { changesFeature } from './changes/changes.feature.ts';
import type { DataConfig } from './config.ts';
import { controllersFeature } from './controllers/controllers.feature.ts';
import { datasetsFeature } from './datasets/datasets.feature.ts';
import { createEngine } from './engine/create-engine.ts';
import { entitiesFeature } from './entities/entities.feature.ts';
import { eventExchangeFeature } from './event-handlers/event-exchange.feature.ts';
import { eventHandlersFeature } from './event-handlers/event-handlers.feature.ts';
import type { FeatureFactory } from './feature.ts';
import { fileAccessFeature } from './file-access/file-access.feature.ts';
import { historyFeature } from './history/history.feature.ts';
import { identityFeature } from './identity/identity.feature.ts';
import { importsFeature } from './imports/imports.feature.ts';
import { jobsFeature } from './jobs/jobs.feature.ts';
import { listViewsFeature } from './list-views/list-views.feature.ts';
import { messagesFeature } from './messages/messages.feature.ts';
import { metadataFeature } from './metadata/metadata.feature.ts';
import { methodsFeature } from './methods/methods.feature.ts';
import { notificationsFeature } from './notifications/notifications.feature.ts';
import { openApiFeature } from './openapi/openapi.feature.ts';
import { operationsFeature } from './operations/operations.feature.ts';
import { permissionsFeature } from './permissions/permissions.feature.ts';
import type { DataPorts } from './ports.ts';
import { queriesFeature } from './queries/queries.feature.ts';
import { reportVersionsFeature } from './report-versions/report-versions.feature.ts';
import { rightsFeature } from './rights/rights.feature.ts';
import { searchFeature } from './search/search.feature.ts';
import { demoDataFeature } from './startup/demo-data.feature.ts';
import { demoUsersFeature } from './startup/demo-users.feature.ts';
import { startChecksFeature, startWarningsFeature } from './startup/start-checks.feature.ts';
import { ticketsFeature } from './tickets/tickets.feature.ts';
import { unreferencedFilesFeature } from './unreferenced-files/unreferenced-files.feature.ts';
import { userInfoFeature } from './user-info/user-info.feature.ts';
import { withUserAttributes } from './user-info/with-user-attributes.ts';
import { userSessionFeature } from './user-session/user-session.feature.ts';
import { withLoginAttributes } from './user-session/with-login-attributes.ts';
import { webhooksFeature } from './webhooks/webhooks.feature.ts';

/** The features, in the order in which they are registered, started and closed. */
const FEATURES: readonly FeatureFactory[] = [
  startChecksFeature,
  // The first routes, since routes are tried in their order, and most requests are for these.
  entitiesFeature,
  messagesFeature,
  listViewsFeature,
  notificationsFeature,
  userSessionFeature,
  userInfoFeature,
  ticketsFeature,
  aggregatesFeature,
  searchFeature,
  importsFeature,
  changesFeature,
  historyFeature,
  permissionsFeature,
  aboutFeature,
  metadataFeature,
  openApiFeature,
  queriesFeature,
  methodsFeature,
  identityFeature,
  operationsFeature,
  rightsFeature,
  reportVersionsFeature,
  unreferencedFilesFeature,
  fileAccessFeature,
  controllersFeature,
  datasetsFeature,
  webhooksFeature,
  // Before the demo data, whose listeners queue runs.
  jobsFeature,
  eventHandlersFeature,
  eventExchangeFeature,
  demoDataFeature,
  demoUsersFeature,
  // The demo data assigns roles.
  startWarningsFeature,
  // Its routes are few; at the end it stores what others have read.
  accessLogFeature,
];

/** Creates the data service with all its features. */
export function createDataService(ports: DataPorts, config: DataConfig): DataService {
  const engine = createEngine(withLoginAttributes(withUserAttributes(ports)), config);
  return assembleApp(
    engine,
    FEATURES.map((create) => create(engine)),
  );
}
