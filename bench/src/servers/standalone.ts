/**
 * All services in one process, as `npm start` has them: with its defaults, so without an access log. It has a
 * separate database: it publishes the events of the outbox, which would be a load of the other systems.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepSecrets, standaloneDefaults, startServices } from '@lintel/standalone';
import { applyHeapOptions, createLogger } from '@lintel/telemetry';
import { copyDataSet } from '../database/prepare-database.ts';
import { announce } from './announce.ts';
import { logIn } from './log-in.ts';
import { readServerSettings } from './server-settings.ts';

const given = readServerSettings();
const home = mkdtempSync(join(tmpdir(), 'lintel-bench-standalone-'));
process.once('exit', () => rmSync(home, { recursive: true, force: true }));
const { url } = await startServices({
  databaseUrl: await copyDataSet(given.databaseUrl, 'lintel_bench_standalone'),
  ownsDatabase: false,
  home,
  properties: {
    ...keepSecrets(home, false).properties,
    'svc.demo.enabled': 'true',
    'svc.datasource.pool-size': String(given.poolSize),
    // One user sends thousands of requests a second. They are counted, as in production.
    'svc.gateway.rate-limit.user': '999999999/1h',
    'svc.gateway.max-concurrent.user': '10000',
    'svc.gateway.max-connections-per-address': '100000',
  },
  defaults: standaloneDefaults({ port: '0', publicUrl: 'http://localhost' }),
  logger: createLogger({ service: 'standalone', level: 'warn' }),
  onProgress: () => {},
});
const token = await logIn(url);
applyHeapOptions();
announce(url, token);
