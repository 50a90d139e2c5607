import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { environment } from '@lintel/config/environment';
import { runUntilSignal } from '@lintel/http';
import { createLogger } from '@lintel/telemetry';
import { explain } from './explain.ts';
import { claimHome } from './instance-claim.ts';
import { type OpenedDatabase, openDatabase } from './open-database.ts';
import { announcement, readOwnConfiguration, startOptions, urlOf } from './standalone-configuration.ts';
import { type RunningServices, startServices } from './start-services.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const DEFAULT_PORT = '8080';

const variables = environment();
const startedAt = Number(variables['LINTEL_STARTED_AT'] ?? Date.now());
const show = (text: string): void => void process.stdout.write(`${text}\n`);
const onProgress = (step: string): void => show(`  ${step}`);

async function main(): Promise<void> {
  const configuration = await readOwnConfiguration();
  const { host, port, logLevel, isEncrypted, isStrict, databaseUrl: configuredUrl, connection } = configuration;
  const url = urlOf({ port, isEncrypted });
  try {
    const home = resolve(variables['LINTEL_HOME'] ?? join(ROOT, '.lintel'));
    mkdirSync(home, { recursive: true });
    claimHome(home, url);
    await assertFree(port, host);
    const logger = createLogger({ service: 'standalone', level: logLevel, pretty: true });
    const database = await openDatabase({ home, configuredUrl, connection, logger, onProgress });
    const { isOwn, secrets } = database;
    const services = await startServices({
      ...startOptions({ databaseUrl: database.url, isOwn, secrets: secrets.properties, home, url, port, isStrict }),
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
    show(announcement(services, url, database.description));
    show(`ready in ${((Date.now() - startedAt) / 1000).toFixed(1)} s (Ctrl-C stops)`);
    reportReady();
  } catch (error) {
    fail(explain(error, port) ?? error);
  }
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
    process.stderr.write(
      '\nThe database has ended by itself; its log is postgres.log in the folder of its data. Stopping.\n',
    );
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
