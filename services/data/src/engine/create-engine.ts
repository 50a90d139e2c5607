import type { OwnWrites } from '@lintel/cache';
import { createModelSource, entityFact, staleFactsOf, type WriteDependencies } from '@lintel/entities';
import type { Database } from '@lintel/persistence';
import { type AccessLog, createAccessLog, hasAccessLog, type ReadDependencies } from '@lintel/reading';
import { type AccessOf, createAccessDirectory, createDelegation, type Delegation } from '@lintel/security';
import { type AssertMayActOn, createAssertMayActOn } from '../access/may-act-on.ts';
import type { DataConfig } from '../config.ts';
import { createFairShares, type FairShares } from '../fair-shares/create-fair-shares.ts';
import { createLargeBodies, type LargeBodies } from '../fair-shares/large-bodies.ts';
import { mailListeners } from '../mails/mail-listeners.ts';
import type { DataPorts } from '../ports.ts';
import { QueryCache } from '../queries/query-cache.ts';
import { queueDue } from '../report-deliveries/delivery-job.ts';
import { deliveryListeners } from '../report-deliveries/delivery-listeners.ts';
import { createWebhooks, type Webhooks } from '../webhooks/create-webhooks.ts';
import { createRead } from './create-read.ts';
import { createWrite } from './create-write.ts';
import { warnOfUnknownRole } from './warn-of-unknown-role.ts';

/** The ports and settings of the service, and values made of them that reading needs. */
export interface EngineBase {
  readonly ports: DataPorts;
  readonly config: DataConfig;
  readonly accessOf: AccessOf;
  /** Compares the rights of callers with those of others. */
  readonly ceiling: Delegation;
  /** The same as the limit of what administrators may change; absent with `svc.security.delegation=unlimited`. */
  readonly delegation: Delegation | undefined;
  readonly assertMayActOn: AssertMayActOn;
  readonly shares: FairShares;
  /** The database for the statements of requests; what requests share, such as caches, uses `ports.database`. */
  readonly requestDatabase: Database;
  readonly modelSource: ReturnType<typeof createModelSource>;
  /** Absent where no entity has an access log. */
  readonly accessLog: AccessLog | undefined;
}

/** The engine of `@lintel/entities` with the ports and settings of the service. All features use the same one. */
export interface Engine extends EngineBase {
  readonly largeBodies: LargeBodies;
  /** Locale of callers without a locale. */
  readonly defaultLocale: string;
  readonly read: ReadDependencies;
  readonly write: WriteDependencies;
  /** Writes drop its results at their commit, in all processes. */
  readonly queryCache: QueryCache;
  /** Writes of webhooks call its listeners. */
  readonly webhooks: Webhooks;
}

/**
 * Creates the engine.
 *
 * @throws StartError for a missing key of security tokens
 * @throws Error with an invalid policy or an invalid network of webhooks
 */
export function createEngine(ports: DataPorts, config: DataConfig): Engine {
  const { application, database, metrics, monotonicClock } = ports;
  const maxStalenessMs = config.platform.cacheMaxStaleness;
  const shares = createFairShares(config, metrics);
  const accessOf = createAccessDirectory(ports.currentRoles, (role) =>
    warnOfUnknownRole(ports.logger, role, 'a role that does not exist gives its holders no rights'),
  );
  const ceiling = createDelegation(ports.currentRoles, accessOf);
  const delegation = config.delegation === 'bounded' ? ceiling : undefined;
  const base: EngineBase = {
    ports,
    config,
    accessOf,
    ceiling,
    delegation,
    assertMayActOn: createAssertMayActOn(delegation, database),
    shares,
    requestDatabase: shares.primary(database),
    accessLog: hasAccessLog(application.model)
      ? createAccessLog({ ...ports, database: ports.accessLogDatabase ?? database })
      : undefined,
    modelSource: createModelSource({ model: application.model, database, maxStalenessMs, clock: monotonicClock }),
  };
  const read = createRead(base);
  const webhooks = createWebhooks({
    ...ports,
    config: config.webhooks,
    internalSecret: config.platform.internalSecret,
    model: application.model,
    ownEvents: (application.events ?? []).map(({ type }) => type),
    userAttributes: application.userAttributes,
    read,
    accessOf: base.accessOf,
  });
  const queryCache = new QueryCache({ ...ports, model: application.model, clock: monotonicClock, maxStalenessMs });
  const write: WriteDependencies = createWrite(base, {
    read,
    listeners: [
      ...webhooks.listeners,
      ...mailListeners(application.model),
      ...deliveryListeners(application.model, config.availableLocales, ports.clock.now, () =>
        queueDue({ ports, write }),
      ),
    ],
    onCommitted: createSettleChanges(queryCache, ports.ownWrites),
  });
  return {
    ...base,
    largeBodies: createLargeBodies(config, metrics),
    defaultLocale: config.availableLocales[0] ?? 'en',
    read,
    webhooks,
    queryCache,
    write,
  };
}

/**
 * Creates what runs after a commit with the names of the changed entities: drops the cached results of queries here,
 * and waits until the caches of all processes are current, where a cache depends on the entities.
 */
const createSettleChanges =
  (queryCache: QueryCache, ownWrites: OwnWrites | undefined) =>
  (changed: readonly string[]): Promise<void> | undefined => {
    queryCache.dropEntities(changed);
    if (ownWrites === undefined) return undefined;
    const names = [...new Set(changed)];
    const results = queryCache.isUsed
      ? names.map((name) => ({ ...entityFact(name), sources: queryCache.tablesOf(name) }))
      : [];
    const facts = [...staleFactsOf(names), ...results];
    return facts.length === 0 ? undefined : ownWrites.settle(facts);
  };
