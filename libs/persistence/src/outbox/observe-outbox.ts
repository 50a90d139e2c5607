import type { Metrics } from '@lintel/telemetry';
import type { Database } from '../database.ts';

const BACKLOG = {
  name: 'lintel_outbox_backlog',
  text: `SELECT count(*)::int AS entries, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age
FROM events.outbox WHERE published_at IS NULL`,
  values: [],
};

/** Both metrics, and collections at about the same time, share one query. */
const SHARED_QUERY_MS = 2_000;

interface Backlog {
  readonly entries: number;
  readonly age: number;
}

/** Observes the unpublished entries of the outbox; while the database is unavailable nothing is reported. */
export function observeOutbox(database: Pick<Database, 'query'>, metrics: Metrics): void {
  let last: { readonly atMs: number; readonly backlog: Promise<Backlog | undefined> } | undefined;
  const readBacklog = (): Promise<Backlog | undefined> => {
    const atMs = performance.now();
    if (last === undefined || atMs - last.atMs > SHARED_QUERY_MS)
      last = { atMs, backlog: database.query<Backlog>(BACKLOG).then(([row]) => row) };
    return last.backlog;
  };
  metrics.observe('lintel.outbox.entries', async () => (await readBacklog())?.entries);
  metrics.observe('lintel.outbox.oldest_age', async () => (await readBacklog())?.age);
}
