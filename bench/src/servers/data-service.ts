/** The data service with its real parts: token verification, session cache, access, log; no broker, no Redis. */

import { randomBytes } from 'node:crypto';
import { job, loadResources } from '@lintel/application';
import {
  attachInvalidation,
  createMemoryStore,
  createProcessDirectory,
  createSessionCache,
  createSessionStore,
} from '@lintel/cache';
import { findResource, loadSettings, readResource } from '@lintel/config';
import { createDatabaseLimits, createDataService, primaryOptions, settings } from '@lintel/data';
import { mapKeysOf } from '@lintel/data/settings';
import { createIdSource } from '@lintel/entities';
import { createInProcessBus } from '@lintel/events';
import { createTokenVerifier, listen } from '@lintel/http';
import { createDatabase, createLiveRoles } from '@lintel/persistence';
import { roleReader } from '@lintel/security';
import { applyHeapOptions, createLogger, startMetrics } from '@lintel/telemetry';
import { monotonicClock } from '@lintel/timing';
import { announce } from './announce.ts';
import measured from './bench-application.ts';
import { followUps, orderSaved } from './follow-ups.ts';
import { ISSUER, sessionOf } from './identity.ts';
import { recordOrders } from './record-orders.ts';
import { EMPTY_JOB, readServerSettings } from './server-settings.ts';

const refuse = (): Promise<never> => Promise.reject(new Error('No operation of the benchmark needs it'));
/** A port that no operation of the benchmark uses. */
const unused = new Proxy({}, { get: () => refuse }) as never;

const given = readServerSettings();
const known = given.adds === 'history' ? await recordOrders(measured, given.databaseUrl) : measured;
const clock = { now: () => Date.now() };
const logger = createLogger({ service: 'data' });
const { metrics } = await startMetrics('lintel-data');
const config = loadSettings(settings, {
  sources: [
    { label: 'application', kind: 'application', values: measured.properties ?? {} },
    {
      label: 'benchmark',
      kind: 'file',
      values: {
        'svc.internal.secret': given.internalSecret,
        'svc.datasource.url': given.databaseUrl,
        'svc.datasource.pool-size': String(given.poolSize),
        'svc.authserver.issuer': ISSUER,
        'svc.authserver.jwks-url': `${given.issuerUrl}/oauth2/jwks`,
        // What is queued with a write is carried out by other processes.
        'svc.jobs.enabled': String(given.jobs === true),
      },
    },
  ],
  readSecretFile: () => '',
  // Properties of the application for other services are not read here.
  knownKeys: ['svc.*'],
  mapKeys: mapKeysOf(measured),
});
const loaded = await loadResources(known, config, { readResource, findResource });
const application = {
  ...loaded,
  listeners: [
    ...(given.listeners ? (loaded.listeners ?? []) : []),
    ...(given.adds === 'follow-ups' ? [followUps] : []),
  ],
  events: [...(loaded.events ?? []), orderSaved],
  jobs:
    given.jobs || given.adds === 'follow-ups'
      ? [job(EMPTY_JOB, { as: { resourceRoles: [] }, overlap: true }, () => {})]
      : [],
};
const limits = createDatabaseLimits(config);
const database = createDatabase({
  ...primaryOptions(config, limits),
  logger,
  metrics,
});
const bus = createInProcessBus({ logger });
const store = createSessionStore(createMemoryStore({ clock }));
await store.save(sessionOf(given.sessionId), 24 * 3_600_000);
const sessions = createSessionCache({ sessions: store, maxStalenessMs: config.platform.cacheMaxStaleness, clock });
const roles = await createLiveRoles({
  database,
  read: roleReader(application),
  maxStalenessMs: config.platform.cacheMaxStaleness,
  clock,
  logger,
});
const verifier = createTokenVerifier({ jwksUrl: config.platform.jwksUrl, issuer: config.platform.issuer, clock });
await attachInvalidation(bus, 'data', [sessions, ...verifier.caches, roles]);
const service = createDataService(
  {
    application,
    database,
    resultMemory: limits.resultMemory,
    currentRoles: () => roles.current(),
    verifier,
    loadSession: (id) => sessions.get(id),
    sessionLocales: unused,
    secondFactors: unused,
    processes: createProcessDirectory(createMemoryStore({ clock: monotonicClock })),
    events: bus.administration,
    authAdministration: unused,
    tickets: unused,
    userSessions: unused,
    clock,
    monotonicClock,
    ids: createIdSource(clock, randomBytes),
    hashPassword: refuse,
    logger,
    metrics,
  },
  config,
);
await service.start();
const server = await listen(service.app, { host: '127.0.0.1', port: 0, observed: { metrics, listener: 'data' } });
applyHeapOptions();
announce(server.url);
