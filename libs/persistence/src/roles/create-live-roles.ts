import { type Clock, createLiveValue, type LiveValue } from '@lintel/cache';
import type { Logger } from '@lintel/telemetry';
import type { StatementRunner } from '../database.ts';

/** What the view `sec.role_snapshot` answers; the body is `StoredRoles` of `@lintel/security`. */
export interface StoredSnapshot {
  readonly version: string;
  readonly body: unknown;
}

export interface LiveRolesOptions<B> {
  /** Reads the view; its login may be one in the role `lintel_sec_reader`. */
  readonly database: StatementRunner;
  /** Makes the book of roles of a snapshot; `roleReader` of `@lintel/security`. */
  readonly read: (snapshot: StoredSnapshot) => B;
  /** `svc.cache.max-staleness` */
  readonly maxStalenessMs: number;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The data service brings the schema up to date; services that start with it wait for the view. */
const START_WITHIN_MS = 60_000;

const SNAPSHOT = {
  name: 'role_snapshot',
  text: 'SELECT version, body::text AS body FROM sec.role_snapshot',
  values: [],
} as const;

/**
 * The roles of this moment for a service, read from the database at the start and when they change
 * (`data.roles.changed.v1`; attach it with `attachInvalidation`).
 *
 * @throws what the database throws when the view is not there within a minute
 */
export function createLiveRoles<B>(options: LiveRolesOptions<B>): Promise<LiveValue<B>> {
  const { database, read, maxStalenessMs, clock, logger } = options;
  return createLiveValue({
    name: 'roles',
    async load() {
      const [row] = await database.query<{ version: string; body: string }>(SNAPSHOT);
      if (row === undefined) throw new Error('The view sec.role_snapshot has no row');
      return read({ version: row.version, body: JSON.parse(row.body) });
    },
    invalidatedBy: ['data.roles.changed.v1'],
    startWithinMs: START_WITHIN_MS,
    maxStalenessMs,
    clock,
    logger,
  });
}
