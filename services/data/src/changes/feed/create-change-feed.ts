import type { Principal } from '@lintel/contracts';
import { principalOfSession } from '@lintel/http';
import { createPublishedEvents } from '@lintel/persistence';
import type { AccessOf } from '@lintel/security';
import { type Logger, NO_METRICS } from '@lintel/telemetry';
import type { DataConfig } from '../../config.ts';
import type { CallerAccess, ReadDependencies } from '../../entities/read-dependencies.ts';
import type { DataPorts } from '../../ports.ts';
import type { VisibleChange } from '../visible-changes.ts';
import { createVisibleRows } from '../visible-rows.ts';
import { ChangeTail } from './change-tail.ts';
import { FeedPlaces } from './feed-places.ts';
import type { FollowDependencies } from './follow-changes.ts';
import { inTurns } from './in-turns.ts';

/** Connections to the database that deciding about rows takes, however many clients follow. */
const MOST_ROW_QUERIES = 2;

/** The feeds of one service. */
export interface ChangeFeed extends Omit<FollowDependencies, 'loadAccess' | 'sealPlace' | 'model'> {
  readonly path: string;
  readonly currentModel: ReadDependencies['currentModel'];
  readonly loadAccess: (principal: Principal) => CallerAccess;
  /** The caller as its session is now; undefined where it has ended, or may not use the API any more. */
  readonly currentCaller: (principal: Principal) => Promise<Principal | undefined>;
  readonly cursors: ReadDependencies['cursors'];
  readonly places: FeedPlaces;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** What the feed of changes needs, once for a service. Costs nothing while nobody follows. */
export function createChangeFeed(
  ports: Pick<DataPorts, 'database' | 'loadSession' | 'logger' | 'metrics'>,
  read: ReadDependencies,
  accessOf: AccessOf,
  config: Pick<DataConfig, 'changes' | 'paths'>,
): ChangeFeed {
  const { heartbeatMs, maxConnections, maxConnectionsPerUser } = config.changes;
  const { logger, metrics = NO_METRICS } = ports;
  const events = createPublishedEvents(ports.database);
  const places = new FeedPlaces({ most: maxConnections, mostPerUser: maxConnectionsPerUser });
  metrics.observe('lintel.changes.connections', () => places.taken);
  const toldOf = (change: VisibleChange['kind']) => metrics.counter('lintel.changes.told', { change });
  const mayUseApi = (caller: Principal): boolean => accessOf(caller).hasSpecific('rest.enabled');
  return {
    path: config.paths.changesPath,
    currentModel: read.currentModel,
    loadAccess: read.loadAccess,
    cursors: read.cursors,
    events,
    tail: new ChangeTail({ events, logger }),
    visibleRows: createVisibleRows(read),
    inTurn: inTurns(MOST_ROW_QUERIES),
    places,
    heartbeatMs,
    told: {
      created: toldOf('created'),
      updated: toldOf('updated'),
      deleted: toldOf('deleted'),
      removed: toldOf('removed'),
    },
    logger,
    async currentCaller(principal) {
      const session = await ports.loadSession(principal.sessionId);
      if (session?.username !== principal.username) return undefined;
      const { locale, actingService } = principal;
      const caller = principalOfSession(session, { locale, actingService });
      // Where the path is open to everybody, nobody needed the permission to begin with.
      return mayUseApi(caller) || !mayUseApi(principal) ? caller : undefined;
    },
  };
}
