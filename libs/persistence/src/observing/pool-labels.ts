import { readDatabaseUrl } from '../address/database-address.ts';

/** What metrics and spans say about the pool and the database of a statement. */
export interface PoolLabels {
  readonly 'db.client.connection.pool.name': string;
  readonly 'db.system.name': 'postgresql';
  readonly 'db.namespace'?: string | undefined;
  readonly 'server.address'?: string | undefined;
  readonly 'server.port'?: number | undefined;
}

const DEFAULT_PORT = 5432;

/** The labels of a pool. Of several servers none is named: which of them is the primary changes. */
export function poolLabelsOf(pool: string, url: string): PoolLabels {
  const { servers } = readDatabaseUrl(url);
  const [{ hostname, port, pathname }] = servers.map((server) => new URL(server)) as [URL];
  const database = decodeURIComponent(pathname.slice(1));
  const isKnown = servers.length === 1 && hostname !== '';
  return {
    'db.client.connection.pool.name': pool,
    'db.system.name': 'postgresql',
    ...(database !== '' && { 'db.namespace': database }),
    ...(isKnown && {
      'server.address': hostname.replace(/^\[(.*)\]$/, '$1'),
      'server.port': port === '' ? DEFAULT_PORT : Number(port),
    }),
  };
}
