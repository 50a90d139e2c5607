import { type CacheDeclaration, createLiveValue, type LiveValue } from '@lintel/cache';
import type { Logger } from '@lintel/telemetry';
import { type Clock, monotonicClock } from '@lintel/timing';
import type { StatementRunner } from '../database.ts';

/** What a snapshot view answers. */
export interface StoredSnapshot {
  /** The same as long as the body is. */
  readonly version: string;
  readonly body: unknown;
}

export interface LiveSnapshotOptions<V> {
  /** Reads the view; its login may be one in the role `lintel_sec_reader`. */
  readonly database: StatementRunner;
  /** Makes the value of a snapshot. */
  readonly read: (snapshot: StoredSnapshot) => V;
  /** `svc.cache.max-staleness` */
  readonly maxStalenessMs: number;
  /** For the age of the value; a monotonic one without it. */
  readonly clock?: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The data service brings the schema up to date; services that start with it wait for the view. */
const START_WITHIN_MS = 60_000;

/**
 * What a view of one row and the columns `version` and `body` says at this moment, read at the start and
 * after every event that concerns it.
 *
 * @param view with its schema
 * @throws what the database throws when the view is not there within a minute
 */
export function createLiveSnapshot<V>(
  declaration: CacheDeclaration,
  view: string,
  options: LiveSnapshotOptions<V>,
): Promise<LiveValue<V>> {
  const { database, read, maxStalenessMs, clock = monotonicClock, logger } = options;
  const statement = {
    name: `snapshot_of_${declaration.name}`,
    text: `SELECT version, body::text AS body FROM ${view}`,
    values: [],
  } as const;
  return createLiveValue({
    declaration,
    async load() {
      const [row] = await database.query<{ version: string; body: string }>(statement);
      if (row === undefined) throw new Error(`The view ${view} has no row`);
      return read({ version: row.version, body: JSON.parse(row.body) });
    },
    startWithinMs: START_WITHIN_MS,
    maxStalenessMs,
    clock,
    logger,
  });
}
