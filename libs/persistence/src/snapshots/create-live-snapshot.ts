import { type CacheDeclaration, createLiveValue, type LiveValue } from '@lintel/cache';
import { StartError } from '@lintel/errors';
import type { Logger } from '@lintel/telemetry';
import { type Clock, monotonicClock } from '@lintel/timing';
import type { StatementRunner } from '../database.ts';
import { databaseErrorDetailsOf } from '../errors/database-error.ts';

/** The row of a snapshot view. */
export interface StoredSnapshot {
  /** Changes whenever the body changes. */
  readonly version: string;
  readonly body: unknown;
}

export interface LiveSnapshotOptions<V> {
  /** Reads the view; its login may be one in the role `lintel_sec_reader`. */
  readonly database: StatementRunner;
  /** Converts a snapshot into the value. */
  readonly read: (snapshot: StoredSnapshot) => V;
  /** `svc.cache.max-staleness` */
  readonly maxStalenessMs: number;
  /** For the age of the value; a monotonic one without it. */
  readonly clock?: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The data service migrates the schema; services that start at the same time wait for the view. */
const START_WITHIN_MS = 60_000;

/**
 * Creates the current value of a view with one row and the columns `version` and `body`, which is read at the start and
 * after every event that concerns it.
 *
 * @param view with its schema
 * @throws StartError when the view is missing for a minute; the error of the database when it cannot be read
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
      const [row] = await database.query<{ version: string; body: string }>(statement).catch((error: unknown) => {
        throw isMissing(error) ? new StartError(missingText(view)) : error;
      });
      if (row === undefined) throw new Error(`The view ${view} has no row`);
      return read({ version: row.version, body: JSON.parse(row.body) });
    },
    startWithinMs: START_WITHIN_MS,
    maxStalenessMs,
    clock,
    logger,
  });
}

/** `undefined_table`, `invalid_schema_name` */
const MISSING: readonly string[] = ['42P01', '3F000'];

const isMissing = (error: unknown): boolean => MISSING.includes(databaseErrorDetailsOf(error)?.sqlState ?? '');

const missingText = (view: string): string =>
  `The view ${view} is missing: start the data service, which creates it, or run "lintel migrate run"`;
