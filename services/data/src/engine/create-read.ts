import { dateTimeOffsetOf } from '@lintel/config';
import { StartError } from '@lintel/errors';
import {
  createCursorCodec,
  createReadDependencies,
  createReplicaReads,
  createRequestLimits,
  createTokenCodec,
  type ReadDependencies,
} from '@lintel/reading';
import type { DataConfig } from '../config.ts';
import type { EngineBase } from './create-engine.ts';
import { warnOfUnknownRole } from './warn-of-unknown-role.ts';

/** The dependencies of reading. */
export function createRead({
  ports,
  config,
  accessOf,
  shares,
  requestDatabase,
  modelSource,
  accessLog,
}: EngineBase): ReadDependencies {
  const { application, metrics, replicas } = ports;
  return createReadDependencies({
    accessLog,
    modelWithDynamicAttributes: modelSource.current,
    application,
    currentRoles: ports.currentRoles,
    currentMessages: ports.currentMessages ?? (() => application.messages),
    accessOf,
    onUnknownRole: (role) =>
      warnOfUnknownRole(ports.logger, role, 'an unknown row-level role hides everything from its users'),
    database: requestDatabase,
    replicaReads:
      replicas && createReplicaReads({ ...replicas, primary: requestDatabase, fair: shares.replica, metrics }),
    cursors: createCursorCodec({ secret: config.platform.internalSecret, ids: ports.ids }),
    tokens: config.tokensRequired ? createTokenCodec(tokenKeyOf(config)) : undefined,
    limits: limitsOf(config),
    limitsOf: createRequestLimits(config.limits),
    bounds: config.resultBounds,
  });
}

const limitsOf = (config: DataConfig): ReadDependencies['limits'] => ({
  maxFetchSize: (entity) => config.entityMaxFetchSize[entity] ?? config.defaultMaxFetchSize,
  inlineFetchPlansEnabled: config.inlineFetchPlanEnabled,
  dateTimeOffset: dateTimeOffsetOf(config),
  negationsFindNull: config.negationsFindNull,
  skipsEmptyConditions: config.skipsEmptyConditions,
  maxQueryCost: config.maxQueryCost,
  timeLimitMs: config.database.statementTimeoutMs > 0 ? config.database.statementTimeoutMs : undefined,
  maxBodyBytes: config.maxBodyBytes,
});

function tokenKeyOf({ tokenKey }: DataConfig): string {
  if (tokenKey !== undefined && tokenKey.trim() !== '') return tokenKey;
  throw new StartError(
    'svc.core.entity-serialization-token-required needs svc.core.entity-serialization-token-encryption-key: there is no default',
  );
}
