import type { Connection } from '../connection/create-connection.ts';
import type { ApiTypes, UntypedApi } from '../model/api-types.ts';
import type { EntityClient } from './entity-client.ts';
import { entityReads } from './entity-reads.ts';
import { entityWrites } from './entity-writes.ts';

/** The methods for entities of a connection. */
export function createEntityClient<A extends ApiTypes = UntypedApi>(connection: Connection): EntityClient<A> {
  return { ...entityReads(connection), ...entityWrites(connection) } as unknown as EntityClient<A>;
}
