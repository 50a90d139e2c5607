import { callerKeyOf, type Principal } from '@lintel/contracts';
import { principalOfSession } from '@lintel/http';
import { createPublishedEvents } from '@lintel/persistence';
import type { CallerAccess, ReadDependencies } from '@lintel/reading';
import type { AccessOf } from '@lintel/security';
import { type Logger, NO_METRICS } from '@lintel/telemetry';
import { Semaphore } from '@lintel/timing';
import type { DataConfig } from '../../config.ts';
import type { DataPorts } from '../../ports.ts';
import { CHANGE_TYPE, changeOf } from '../entity-change.ts';
import type { VisibleChange } from '../visible-changes.ts';
import { createVisibleRows } from '../visible-rows.ts';
import { ChangeTail } from './change-tail.ts';
import type { FollowDependencies } from './follow-changes.ts';
import { type OwnEvent, ownEventOf } from './follow-own-events.ts';
import { StreamLimiter } from './stream-limiter.ts';

/** Maximum of concurrent statements that look up visible rows, for all clients together. */
const MAX_ROW_QUERIES = 2;

/** An event of the application may have 256 KiB. */
const OWN_EVENTS = { maxChanges: 100, batch: 50 };

/** The feeds of one service. */
export interface ChangeFeed extends Omit<FollowDependencies, 'loadAccess' | 'encodeEventId' | 'model'> {
  /** Reads the events of a type of the application; undefined for one that does not exist, or that the caller may not receive. */
  readonly ownTail: (type: string, principal: Principal) => ChangeTail<OwnEvent> | undefined;
  readonly limitsOfFilters: Pick<ReadDependencies, 'displayIn' | 'limits' | 'limitsOf'>;
  readonly path: string;
  readonly currentModel: ReadDependencies['currentModel'];
  readonly loadAccess: (principal: Principal) => CallerAccess;
  /** The caller with its current session; undefined if the session has ended or may not use the API any more. */
  readonly currentCaller: (principal: Principal) => Promise<Principal | undefined>;
  readonly cursors: ReadDependencies['cursors'];
  readonly limiter: StreamLimiter;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Creates the feed of changes of a service. It does nothing while there are no followers. */
export function createChangeFeed(
  ports: Pick<DataPorts, 'application' | 'database' | 'loadSession' | 'logger' | 'metrics'>,
  read: ReadDependencies,
  accessOf: AccessOf,
  config: Pick<DataConfig, 'changes' | 'paths'>,
): ChangeFeed {
  const { heartbeatMs, maxConnections, maxConnectionsPerUser } = config.changes;
  const { logger, metrics = NO_METRICS } = ports;
  const events = createPublishedEvents(ports.database);
  const limiter = new StreamLimiter({ max: maxConnections, maxPerUser: maxConnectionsPerUser });
  metrics.observe('lintel.changes.connections', () => limiter.active);
  const ownTails = new Map(
    (ports.application.events ?? []).map(({ type }) => [
      type,
      new ChangeTail({ events, type, eventOf: ownEventOf(type), logger, ...OWN_EVENTS }),
    ]),
  );
  const sentCounter = (change: VisibleChange['kind'] | 'published') =>
    metrics.counter('lintel.changes.sent', { change });
  const mayUseApi = (caller: Principal): boolean => accessOf(caller).hasSpecific('rest.enabled');
  return {
    path: config.paths.changesPath,
    currentModel: read.currentModel,
    loadAccess: read.loadAccess,
    cursors: read.cursors,
    events,
    tail: new ChangeTail({ events, type: CHANGE_TYPE, eventOf: changeOf, logger }),
    ownTail(type, principal) {
      const { hasSpecific } = accessOf(principal);
      return hasSpecific('events.read') || hasSpecific(`events.read.${type}`) ? ownTails.get(type) : undefined;
    },
    limitsOfFilters: read,
    visibleRows: createVisibleRows(read),
    rowQueries: new Semaphore(MAX_ROW_QUERIES),
    limiter,
    heartbeatMs,
    sent: {
      created: sentCounter('created'),
      updated: sentCounter('updated'),
      deleted: sentCounter('deleted'),
      removed: sentCounter('removed'),
      published: sentCounter('published'),
    },
    logger,
    async currentCaller(principal) {
      const session = await ports.loadSession(principal.sessionId);
      if (session === undefined || callerKeyOf(session) !== callerKeyOf(principal)) return undefined;
      const { locale, actingService, acr, authTime } = principal;
      const caller = principalOfSession(session, { locale, actingService, acr, authTime });
      // If the path is public, opening the feed did not require the permission either.
      return mayUseApi(caller) || !mayUseApi(principal) ? caller : undefined;
    },
  };
}
