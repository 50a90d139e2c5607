import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import type { Application } from '@lintel/application';
import {
  connectionSettings,
  defineSettings,
  platformSettings,
  readConfiguration,
  setting,
  textValue,
} from '@lintel/config';
import { environment } from '@lintel/config/environment';
import { settings as gatewaySettings } from '@lintel/gateway/settings';
import { runUntilSignal } from '@lintel/http';
import { createLogger } from '@lintel/telemetry';
import { banner } from './banner.ts';
import { demoRequests, demoUsers } from './demo-requests.ts';
import { explain } from './explain.ts';
import { claimHome } from './instance-claim.ts';
import { type OpenedDatabase, openDatabase } from './open-database.ts';
import { standaloneDefaults } from './standalone-properties.ts';
import { type RunningServices, startServices } from './start-services.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const DEFAULT_PORT = '8080';

const shape = defineSettings({
  host: gatewaySettings.host,
  port: gatewaySettings.port,
  certificateFile: gatewaySettings.tls.certificateFile,
  databaseUrl: setting('svc.datasource.url', textValue().optional(), 'PostgreSQL URL', { secret: true }),
  connection: connectionSettings,
  logLevel: platformSettings.logLevel,
});

const variables = environment();
const startedAt = Number(variables['LINTEL_STARTED_AT'] ?? Date.now());
const show = (text: string): void => void process.stdout.write(`${text}\n`);
const onProgress = (step: string): void => show(`  ${step}`);

async function main(): Promise<void> {
  const { config } = await readConfiguration<typeof shape, Application>(shape, {
    defaults: standaloneDefaults({ port: variables['PORT'] }),
  });
  const { host, port, logLevel, certificateFile, databaseUrl: configuredUrl, connection } = config;
  const url = `${certificateFile === undefined ? 'http' : 'https'}://localhost:${port}`;
  try {
    const home = resolve(variables['LINTEL_HOME'] ?? join(ROOT, '.lintel'));
    mkdirSync(home, { recursive: true });
    claimHome(home, url);
    await assertFree(port, host);
    const logger = createLogger({ service: 'standalone', level: logLevel, pretty: true });
    const database = await openDatabase({ home, configuredUrl, connection, logger, onProgress });
    const { isOwn, secrets } = database;
    const services = await startServices({
      databaseUrl: database.url,
      ownsDatabase: isOwn,
      home,
      // Other processes may use a configured database: they need the same secrets, which can be configured.
      properties: isOwn ? secrets.properties : {},
      defaults: {
        ...standaloneDefaults({ port: String(port), publicUrl: url, ownsDatabase: isOwn }),
        ...(isOwn ? {} : secrets.properties),
      },
      logger,
      onProgress,
    }).catch(async (error: unknown) => {
      await database.stop();
      throw error;
    });
    stopWithDatabase(database, services);
    runUntilSignal({
      logger,
      async close() {
        show('\nStopping');
        await services.close();
        await database.stop();
        show('Stopped');
      },
    });
    // After the handlers of signals: a program that waits for these lines may send one at once.
    announce(services, url, database);
    reportReady();
  } catch (error) {
    fail(explain(error, port) ?? error);
  }
}

function announce(
  { application, isDemo, passwordClient, managementUrl, paths }: RunningServices,
  url: string,
  { description }: OpenedDatabase,
): void {
  const requests = isDemo && passwordClient !== undefined ? demoRequests(application, passwordClient, url, paths) : [];
  show(
    banner({
      url,
      paths,
      managementUrl,
      database: description,
      application: application.name,
      users: isDemo ? demoUsers(application) : [],
      requests,
    }),
  );
  show(`ready in ${((Date.now() - startedAt) / 1000).toFixed(1)} s (Ctrl-C stops)`);
}

/**
 * Reports to the supervisor, if there is one, which restarts this process from now on; it stops when the supervisor
 * ends.
 */
function reportReady(): void {
  if (process.send === undefined) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.send('ready');
  process.channel?.unref();
}

/** Stops the system when its database ends: without it all responses would be errors. */
function stopWithDatabase(database: OpenedDatabase, services: RunningServices): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (stopping = true));
  void database.ended.then(async () => {
    if (stopping) return;
    process.stderr.write('\nThe database has ended by itself; its log is postgres.log beside its data. Stopping.\n');
    process.exitCode = 1;
    await services.close();
    process.exit();
  });
}

/** Checked before the database is started: a port in use is the most common reason of a failed start. */
function assertFree(port: number, host: string): Promise<void> {
  return new Promise((done, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(port, host, () => probe.close(() => done()));
  });
}

function fail(reason: unknown): never {
  // With its causes.
  const text = reason instanceof Error ? inspect(reason) : String(reason);
  process.stderr.write(`\n${text}\n`);
  process.exit(1);
}

await main().catch((error: unknown) => fail(explain(error, Number(DEFAULT_PORT)) ?? error));
