import { StartError } from '@lintel/errors';
import { readDatabaseUrl } from '../address/database-address.ts';

interface CheckedReplicas {
  readonly urls: readonly string[];
  readonly primaryUrl: string;
  readonly maxLagMs: number;
}

const MIN_LAG_MS = 500;
/** Writes may have to wait so long, where the position of a session cannot be stored. */
const MAX_LAG_MS = 300_000;

/**
 * Checks the settings of replicas. Errors name an address by its number, since the address contains a password. Whether
 * the addresses lead to replicas of the primary is checked only when they are connected.
 *
 * @throws StartError
 */
export function assertReplicas({ urls, primaryUrl, maxLagMs }: CheckedReplicas): void {
  if (maxLagMs < MIN_LAG_MS || maxLagMs > MAX_LAG_MS)
    throw new StartError('svc.datasource.max-replica-lag must be from 500ms to 5m');
  const primaries = serversOf(primaryUrl);
  const servers = urls.map((url, at) => {
    const server = serverOf(url);
    if (server === undefined) throw new StartError(`svc.datasource.read-urls[${at}] is not a PostgreSQL URL`);
    return server;
  });
  for (const [at, server] of servers.entries()) {
    if (primaries.includes(server))
      throw new StartError(`svc.datasource.read-urls[${at}] leads to the database of svc.datasource.url`);
    const first = servers.indexOf(server);
    if (first < at) throw new StartError(`svc.datasource.read-urls[${at}] is the same as [${first}]`);
  }
}

/** Of all servers of a URL. */
const serversOf = (url: string): readonly (string | undefined)[] => readDatabaseUrl(url).servers.map(serverOf);

/** Host and port, without the login; libpq's parameters in the query may contain them as well. */
function serverOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, searchParams } = new URL(text);
  if (protocol !== 'postgres:' && protocol !== 'postgresql:') return undefined;
  return `${searchParams.get('host') ?? hostname.toLowerCase()}:${searchParams.get('port') ?? (port || '5432')}`;
}
