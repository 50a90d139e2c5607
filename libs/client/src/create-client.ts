import { type AboutClient, createAboutClient } from './about/create-about-client.ts';
import { type CallClient, createCallClient } from './calls/create-call-client.ts';
import { type Change, type FollowOptions, followChanges } from './changes/follow-changes.ts';
import {
  type ApiDescription,
  type Connection,
  type ConnectionOptions,
  createConnection,
} from './connection/create-connection.ts';
import { createEntityClient } from './entities/create-entity-client.ts';
import type { EntityClient } from './entities/entity-client.ts';
import { createFileClient, type FileClient } from './files/create-file-client.ts';
import { createHistoryClient, type HistoryClient } from './history/create-history-client.ts';
import type { ApiTypes, EntityName, UntypedApi } from './model/api-types.ts';
import { createReportClient, type ReportClient } from './reports/create-report-client.ts';
import { type TicketOptions, ticketUrl } from './tokens/ticket-url.ts';

/** The whole API of an application. Every method rejects with a `RestError` if the response is an error. */
export interface Client<A extends ApiTypes = UntypedApi>
  extends EntityClient<A>,
    HistoryClient<A>,
    CallClient<A>,
    AboutClient {
  /** Uploads and downloads. */
  readonly files: FileClient;
  /** Reports, run at once or in the background. */
  readonly reports: ReportClient;
  /** The changes of an entity, as soon as they are committed: `for await (const change of client.changes('sales_Order'))`. */
  changes(entity: EntityName<A>, options?: FollowOptions): AsyncIterableIterator<Change>;
  /** The address of one download or feed with a ticket, for a link, a window or an `EventSource`. */
  ticketUrl(url: string, options?: TicketOptions): Promise<string>;
  /** For the parts of the client that are created one by one. */
  readonly connection: Connection;
}

/** Everything that this package has for an application. A bundler keeps all of it: see `createConnection` for less. */
export function createClient<A extends ApiTypes = UntypedApi>(
  options: ConnectionOptions,
  description?: ApiDescription,
): Client<A> {
  const connection = createConnection(options, description);
  return {
    ...createEntityClient<A>(connection),
    ...createHistoryClient<A>(connection),
    ...createCallClient<A>(connection),
    ...createAboutClient(connection),
    files: createFileClient(connection),
    reports: createReportClient(connection),
    changes: (entity, following) => followChanges(connection, entity, following),
    ticketUrl: (url, options) => ticketUrl(connection, url, options),
    connection,
  };
}
