import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createTestDatabase,
  createTestVhost,
  eventually,
  freePort,
  testEnvironment,
  uniqueName,
} from '@lintel/testkit';

/** Packages of applications are looked up from the working folder. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators'];
const START_DEADLINE_MS = 60_000;

export type ServiceName = 'auth' | 'data' | 'files' | 'gateway' | 'reports';

/** A service as a process of its own, which can go away and come back at the same address. */
export interface RunningService {
  readonly url: string;
  kill(): Promise<void>;
  /** Starts the process, and waits until it is ready. */
  start(): Promise<void>;
}

export interface ServiceProcesses<Name extends ServiceName> {
  readonly services: Readonly<Record<Name, RunningService>>;
  dispose(): Promise<void>;
}

/** Starts services of the example application over the servers of the tests; each knows where the others are. */
export async function startServiceProcesses<const Name extends ServiceName>(
  names: readonly Name[],
  settings: Readonly<Record<string, string>> = {},
): Promise<ServiceProcesses<Name>> {
  const [database, vhost] = await Promise.all([createTestDatabase('faults'), createTestVhost('faults')]);
  const folder = mkdtempSync(join(tmpdir(), 'lintel-faults-'));
  const portOf = new Map<string, number>();
  for (const listener of ['auth', 'data', 'files', 'gateway', 'reports', 'auth_internal', 'data_internal'])
    portOf.set(listener, await freePort());
  const urlOf = (listener: string): string => `http://127.0.0.1:${portOf.get(listener)}`;
  const environment: Readonly<Record<string, string | undefined>> = {
    PATH: process.env['PATH'],
    SVC_LOG_LEVEL: 'error',
    SVC_DATASOURCE_URL: database.url,
    SVC_BROKER_URLS: vhost.url,
    SVC_REDIS_URL: testEnvironment('LINTEL_TEST_REDIS_URL'),
    SVC_REDIS_KEY_PREFIX: uniqueName('faults'),
    SVC_INTERNAL_SECRET: 'internal secret of the test',
    SVC_AUTHSERVER_KEY_ENCRYPTION_SECRET: 'key encryption secret of the test',
    SVC_DEMO_ENABLED: 'true',
    SVC_FILES_STORAGE_FS_KIND: 'folder',
    SVC_FILES_STORAGE_FS_PATH: folder,
    ...Object.fromEntries([...portOf].map(([listener, port]) => [`SVC_${listener.toUpperCase()}_PORT`, String(port)])),
    SVC_GATEWAY_AUTH_URL: urlOf('auth'),
    SVC_GATEWAY_DATA_URL: urlOf('data'),
    SVC_GATEWAY_FILES_URL: urlOf('files'),
    SVC_GATEWAY_REPORTS_URL: urlOf('reports'),
    SVC_AUTHSERVER_JWKS_URL: `${urlOf('auth')}/oauth2/jwks`,
    SVC_AUTHSERVER_INTERNAL_URL: urlOf('auth_internal'),
    SVC_DATA_INTERNAL_URL: urlOf('data_internal'),
    ...settings,
  };
  const services = Object.fromEntries(
    names.map((name) => [name, serviceProcess(name, urlOf(name), environment)]),
  ) as Record<Name, RunningService>;
  const all: readonly RunningService[] = Object.values(services);
  const dispose = async (): Promise<void> => {
    for (const service of all) await service.kill();
    await Promise.all([vhost.drop(), database.drop()]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(all.map((service) => service.start()));
  } catch (error) {
    await dispose();
    throw error;
  }
  return { services, dispose };
}

function serviceProcess(
  name: ServiceName,
  url: string,
  environment: Readonly<Record<string, string | undefined>>,
): RunningService {
  let child: ChildProcess | undefined;
  let output = '';
  const isReady = async (): Promise<boolean> =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  return {
    url,
    async start() {
      const main = join(ROOT, 'services', name, 'src', 'main.ts');
      child = spawn(process.execPath, [...SOURCES, main], { cwd: ROOT, env: environment });
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (data: Buffer) => {
          output += data.toString();
        });
      await eventually(
        async () => {
          if (!(await isReady())) throw new Error(`${name} is not ready: ${output}`);
        },
        { timeoutMs: START_DEADLINE_MS, intervalMs: 50 },
      );
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
