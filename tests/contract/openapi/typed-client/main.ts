import {
  callAccount,
  callClients,
  callListViews,
  callNotifications,
  callOperations,
  callRights,
  callUploads,
} from './account.ts';
import { clientOf, statuses } from './client.ts';
import { callEntities, callOrders } from './entities.ts';
import { callReportVersions } from './report-versions.ts';
import { callDescriptions, callFiles, callQueriesAndServices, callReports, endSession, followChanges } from './rest.ts';
import { callTokenEndpoints } from './tokens.ts';

/** Calls every endpoint once, and returns which were called, as one line of JSON. */
const client = clientOf(await callTokenEndpoints('admin'));
await callEntities(client);
await callOrders(client);
await callQueriesAndServices(client);
await callFiles(client);
await callUploads(client);
await callDescriptions(client);
await callReports(client);
await callReportVersions(client);
await followChanges(client);
await callAccount(client);
await callRights(client);
await callListViews(client);
await callNotifications(client);
await callClients(client);
await callOperations(client);
await endSession(client);
process.stdout.write(`${JSON.stringify(statuses)}\n`);
