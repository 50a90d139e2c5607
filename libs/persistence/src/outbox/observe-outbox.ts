import type { Metrics } from '@lintel/telemetry';
import type { Database } from '../database.ts';

const BACKLOG = {
  name: 'lintel_outbox_backlog',
  text: `SELECT count(*)::int AS entries, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age
FROM events.outbox WHERE published_at IS NULL`,
  values: [],
};

/** Both metrics, and all who collect at about the same time, share one look. */
const SAME_LOOK_MS = 2_000;

interface Backlog {
  readonly entries: number;
  readonly age: number;
}

/** Observes what the outbox holds that is not published; while the database is away there is nothing to observe. */
export function observeOutbox(database: Pick<Database, 'query'>, metrics: Metrics): void {
  let last: { readonly atMs: number; readonly backlog: Promise<Backlog | undefined> } | undefined;
  const look = (): Promise<Backlog | undefined> => {
    const atMs = performance.now();
    if (last === undefined || atMs - last.atMs > SAME_LOOK_MS)
      last = { atMs, backlog: database.query<Backlog>(BACKLOG).then(([row]) => row) };
    return last.backlog;
  };
  metrics.observe('lintel.outbox.entries', async () => (await look())?.entries);
  metrics.observe('lintel.outbox.oldest_age', async () => (await look())?.age);
}
