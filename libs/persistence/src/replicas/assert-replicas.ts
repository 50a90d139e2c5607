import { StartError } from '@lintel/errors';

interface CheckedReplicas {
  readonly urls: readonly string[];
  readonly primaryUrl: string;
  readonly maxLagMs: number;
}

const LEAST_LAG_MS = 500;
/** Writes may have to wait so long, where sessions cannot be marked. */
const GREATEST_LAG_MS = 300_000;

/**
 * Checks what is said of replicas; what is wrong with an address is told by its number, never with the address, which holds a
 * password. Whether they lead to replicas of the primary is known only when they are asked.
 *
 * @throws StartError
 */
export function assertReplicas({ urls, primaryUrl, maxLagMs }: CheckedReplicas): void {
  if (maxLagMs < LEAST_LAG_MS || maxLagMs > GREATEST_LAG_MS)
    throw new StartError('svc.datasource.max-replica-lag must be from 500ms to 5m');
  const primary = placeOf(primaryUrl);
  const places = urls.map((url, at) => {
    const place = placeOf(url);
    if (place === undefined) throw new StartError(`svc.datasource.read-urls[${at}] is not a PostgreSQL URL`);
    return place;
  });
  for (const [at, place] of places.entries()) {
    if (place === primary)
      throw new StartError(`svc.datasource.read-urls[${at}] leads to the database of svc.datasource.url`);
    const first = places.indexOf(place);
    if (first < at) throw new StartError(`svc.datasource.read-urls[${at}] is that of [${first}] once more`);
  }
}

/** What tells servers apart, whoever logs in; libpq's parameters in the query may hold the host as well. */
function placeOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, searchParams } = new URL(text);
  if (protocol !== 'postgres:' && protocol !== 'postgresql:') return undefined;
  return `${searchParams.get('host') ?? hostname.toLowerCase()}:${searchParams.get('port') ?? (port || '5432')}`;
}
