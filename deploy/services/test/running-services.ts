import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  createTestDatabase,
  createTestVhost,
  eventually,
  freePort,
  testEnvironment,
  uniqueName,
} from '@lintel/testkit';

const SCRIPT = fileURLToPath(new URL('../start-services.mjs', import.meta.url));
/** Packages of applications are looked up from the working folder. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES = ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators'];
const START_DEADLINE_MS = 90_000;

export const SERVICES = ['gateway', 'auth', 'data', 'files', 'reports'] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface RunningServices {
  /** Address of the gateway. */
  readonly url: string;
  /** Address of the management listener of a service. */
  managementUrl(service: ServiceName): string;
  /** Every line of every process. */
  output(): string;
  /** Stops all; the last spans, metrics and lines have been written then. */
  stop(): Promise<void>;
}

/**
 * The five processes, from their sources, over the servers of the test run, with S3 for files.
 *
 * @param collectorUrl where they send spans and metrics, as JSON
 */
export async function startFiveServices(
  collectorUrl: string,
  more: Readonly<Record<string, string>> = {},
): Promise<RunningServices> {
  const [database, vhost] = await Promise.all([createTestDatabase('telemetry'), createTestVhost('telemetry')]);
  const ports = new Map<string, number>();
  for (const name of SERVICES) ports.set(name, await freePort());
  const child = spawn(process.execPath, [...SOURCES, SCRIPT], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      SVC_LOG_LEVEL: 'debug',
      SVC_DATASOURCE_URL: database.url,
      SVC_BROKER_URLS: vhost.url,
      SVC_REDIS_URL: testEnvironment('LINTEL_TEST_REDIS_URL'),
      SVC_REDIS_KEY_PREFIX: uniqueName('telemetry'),
      SVC_INTERNAL_SECRET: 'internal secret of the test, long enough',
      SVC_AUTHSERVER_KEY_ENCRYPTION_SECRET: 'key encryption secret of the test',
      SVC_DEMO_ENABLED: 'true',
      SVC_FILES_STORAGE_FS_KIND: 's3',
      SVC_FILES_STORAGE_FS_ENDPOINT_URL: testEnvironment('LINTEL_TEST_S3_URL'),
      SVC_FILES_STORAGE_FS_ACCESS_KEY: testEnvironment('LINTEL_TEST_S3_ACCESS_KEY'),
      SVC_FILES_STORAGE_FS_SECRET_KEY: testEnvironment('LINTEL_TEST_S3_SECRET_KEY'),
      SVC_FILES_STORAGE_FS_BUCKET: uniqueName('telemetry').replaceAll('_', '-').toLowerCase(),
      SVC_TELEMETRY_ENDPOINT: collectorUrl,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_METRIC_EXPORT_INTERVAL: '500',
      ...Object.fromEntries(
        ['GATEWAY', 'AUTH', 'AUTH_INTERNAL', 'DATA', 'DATA_INTERNAL', 'FILES', 'FILES_INTERNAL', 'REPORTS'].map(
          (name) => [`SVC_${name}_PORT`, '0'],
        ),
      ),
      ...Object.fromEntries(
        [...ports].map(([name, port]) => [`SVC_${name.toUpperCase()}_MANAGEMENT_PORT`, String(port)]),
      ),
      ...more,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString();
    });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let stopped: Promise<unknown> | undefined;
  const stop = async (): Promise<void> => {
    stopped ??= (async () => {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
      await Promise.all([database.drop(), vhost.drop()]);
    })();
    await stopped;
  };
  try {
    const ready = eventually(() => expect(output).toMatch(/^ready in /m), { timeoutMs: START_DEADLINE_MS });
    await Promise.race([ready, ended]);
    if (child.exitCode !== null) throw new Error(`The services have ended:\n${output.slice(-4_000)}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: /^ready in .* at (\S+)/m.exec(output)?.[1] ?? '',
    managementUrl: (service) => `http://127.0.0.1:${ports.get(service)}`,
    output: () => output,
    stop,
  };
}
