import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment } from '@lintel/config/environment';
import { startEmbeddedDatabase } from '@lintel/embedded-database';
import { runUntilSignal } from '@lintel/http';
import { createLogger } from '@lintel/telemetry';
import { banner } from './banner.ts';
import { explain } from './explain.ts';
import { findPlace } from './place.ts';
import { keepSecrets } from './secrets.ts';
import { startServices } from './start-services.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const DATABASE = 'lintel';

const variables = environment();
const startedAt = Number(variables['LINTEL_STARTED_AT'] ?? Date.now());
const port = Number(variables['PORT'] ?? variables['SVC_GATEWAY_PORT'] ?? 8080);
const show = (text: string): void => void process.stdout.write(`${text}\n`);
const seconds = (): string => ((Date.now() - startedAt) / 1000).toFixed(1);

/** The whole system in one process, with a database of its own. */
async function main(): Promise<void> {
  await assertFree(port);
  const place = findPlace(resolve(variables['LINTEL_HOME'] ?? join(ROOT, '.lintel')));
  const secrets = keepSecrets(place.home);
  const database = await startEmbeddedDatabase({
    folder: place.database,
    binaries: place.binaries,
    user: DATABASE,
    password: secrets.databasePassword,
    database: DATABASE,
    onProgress: (step) => show(`  ${step}`),
  });
  const logger = createLogger({ service: 'standalone', level: logLevel(), pretty: true });
  try {
    const services = await startServices({
      databaseUrl: database.url,
      home: place.home,
      properties: {
        ...secrets.properties,
        'svc.gateway.port': String(port),
        'svc.authserver.issuer': variables['SVC_AUTHSERVER_ISSUER'] ?? `http://localhost:${port}`,
        'svc.demo.enabled': variables['SVC_DEMO_ENABLED'] ?? 'true',
      },
      logger,
      onProgress: (step) => show(`  ${step}`),
    });
    const { application, isDemo } = services;
    show(
      banner({ url: `http://localhost:${port}`, application: application.name, isDemo, users: demoUsers(application) }),
    );
    show(`ready in ${seconds()} s (Ctrl-C stops)`);
    runUntilSignal({
      logger,
      async close() {
        await services.close();
        await database.stop();
      },
    });
  } catch (error) {
    await database.stop();
    throw error;
  }
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** Quiet, so that what a person should read is not lost between access logs. */
const logLevel = (): (typeof LEVELS)[number] =>
  LEVELS.find((level) => level === variables['SVC_LOG_LEVEL']?.toLowerCase()) ?? 'warn';

/** Users of the demo data who have a password. */
const demoUsers = (application: Awaited<ReturnType<typeof startServices>>['application']): readonly string[] =>
  (application.demoData?.instances ?? [])
    .filter(({ entity, values }) => entity === 'sec_User' && values['password'] !== undefined)
    .map(({ values }) => String(values['username']));

/** Asked before the database is started: a taken port is the commonest reason of a failed start. */
function assertFree(wanted: number): Promise<void> {
  return new Promise((done, fail) => {
    const probe = createServer().once('error', fail);
    probe.listen(wanted, '0.0.0.0', () => probe.close(() => done()));
  });
}

main().catch((error: unknown) => {
  const text = explain(error, port);
  process.stderr.write(`\n${text ?? (error instanceof Error ? error.stack : String(error))}\n`);
  process.exit(1);
});
