/**
 * The data service with the example application in its own process, for tests that measure memory. It is started
 * with the URL of a database and sends `{ url }` when it is ready. To each message it replies with the maximum of the
 * resident memory since the previous message, as `{ peakBytes }`. Every token is that of a user with full access.
 */
import { createMemoryStore, createProcessDirectory } from '@lintel/cache';
import { loadSettings } from '@lintel/config';
import { createDataService, settings } from '@lintel/data';
import { createInProcessBus } from '@lintel/events';
import sales from '@lintel/example-sales';
import { listen } from '@lintel/http';
import { createDatabase } from '@lintel/persistence';
import { applicationRoles } from '@lintel/security';
import { monotonicClock } from '@lintel/timing';
import { NO_SECOND_FACTORS } from './no-second-factors.ts';

const SAMPLE_EVERY_MS = 5;

const [databaseUrl = ''] = process.argv.slice(2);
const quiet = { debug() {}, info() {}, warn() {}, error: console.error, child: () => quiet };
const config = loadSettings(settings, {
  sources: [{ label: 'test', kind: 'file', values: { 'svc.internal.secret': 'x', 'svc.datasource.url': databaseUrl } }],
  readSecretFile: () => '',
});
const roles = applicationRoles(sales);
const service = createDataService(
  {
    application: sales,
    currentRoles: () => roles,
    database: createDatabase({
      url: databaseUrl,
      maxConnections: config.database.poolSize,
      statementTimeoutMs: config.database.statementTimeoutMs,
      applicationName: 'data-process',
    }),
    verifier: {
      verify: async (sid, aud) => ({
        iss: 'i',
        sub: sid,
        aud,
        exp: 9e9,
        iat: 0,
        jti: 'j',
        client_id: 'c',
        sid,
        scope: 'rest-api',
      }),
    },
    loadSession: async (id) => ({
      id,
      username: id,
      userId: null,
      clientId: 'c',
      kind: 'user',
      resourceRoles: ['system-full-access'],
      rowLevelRoles: [],
      locale: null,
      attributes: {},
      createdAt: '2026-01-01T00:00:00Z',
    }),
    sessionLocales: {
      change: async () => false,
      changeAttributes: async () => false,
      completeLogin: async () => false,
    },
    userSessions: { list: async () => [], end: async () => 0, history: async () => [] },
    secondFactors: NO_SECOND_FACTORS,
    processes: createProcessDirectory(createMemoryStore({ clock: monotonicClock })),
    events: createInProcessBus({ logger: quiet }).administration,
    authAdministration: { call: async () => ({}) },
    tickets: { issue: async ({ url }) => ({ ticket: `ticket-of-${url.length}`, expiresIn: 60 }) },
    clock: { now: () => Date.now() },
    monotonicClock: { now: () => performance.now() },
    ids: { next: () => crypto.randomUUID() },
    hashPassword: async (text) => text,
    logger: quiet,
  },
  config,
);
const server = await listen(service.app, { host: '127.0.0.1', port: 0 });

let peakBytes = process.memoryUsage.rss();
setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
}, SAMPLE_EVERY_MS);
process.on('message', () => {
  process.send?.({ peakBytes: Math.max(peakBytes, process.memoryUsage.rss()) });
  peakBytes = process.memoryUsage.rss();
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: server.url });
