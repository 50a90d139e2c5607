import pg from 'pg';
import { readDatabaseUrl } from './database-address.ts';
import { addressedClient } from './database-client.ts';

/**
 * Creates a client with a session of its own, which is not connected yet. The caller handles its `error` events and
 * ends it.
 *
 * @param url without a pooler in transaction mode
 */
export function createClient(url: string, applicationName: string): pg.Client {
  const address = readDatabaseUrl(url);
  const Client = addressedClient(pg.Client, address);
  return new Client({
    connectionString: address.servers[0],
    application_name: applicationName,
    ...(address.sessionOptions === undefined ? {} : { options: address.sessionOptions }),
  });
}
