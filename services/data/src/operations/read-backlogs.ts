import type { Database } from '@lintel/persistence';

/** What waits in tables. */
export interface Backlogs {
  /** Events that are not published yet. */
  readonly outbox: Backlog;
  /** Deliveries of active webhooks that are due. */
  readonly deliveries: Backlog;
}

interface Backlog {
  readonly count: number;
  /** How long the oldest one waits. */
  readonly oldestSeconds: number;
}

const age = (column: string): string => `coalesce(extract(epoch FROM now() - min(${column})), 0)::float8`;
const BACKLOGS = {
  name: 'lintel_backlogs',
  text: `SELECT * FROM
  (SELECT count(*)::int AS events, ${age('created_at')} AS events_age FROM events.outbox WHERE published_at IS NULL) o,
  (SELECT count(*)::int AS deliveries, ${age("d.queued_at AT TIME ZONE 'UTC'")} AS deliveries_age
    FROM sys.webhook_delivery d JOIN sys.webhook w ON w.id = d.webhook_id
    WHERE d.state = 'pending' AND w.active AND d.next_attempt <= now() AT TIME ZONE 'UTC') d`,
  values: [],
};

interface BacklogRow {
  readonly events: number;
  readonly events_age: number;
  readonly deliveries: number;
  readonly deliveries_age: number;
}

/** Reads the backlogs in one statement. */
export async function readBacklogs(database: Pick<Database, 'query'>): Promise<Backlogs> {
  const [row] = await database.query<BacklogRow>(BACKLOGS);
  return {
    outbox: { count: row?.events ?? 0, oldestSeconds: row?.events_age ?? 0 },
    deliveries: { count: row?.deliveries ?? 0, oldestSeconds: row?.deliveries_age ?? 0 },
  };
}
