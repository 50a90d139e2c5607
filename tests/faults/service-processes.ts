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
const START_DEADLINE_MS = 120_000;

export type ServiceName = 'auth' | 'data' | 'files' | 'gateway' | 'reports';

/** A service as a process of its own, which can go away and come back at the same address. */
export interface RunningService {
  readonly url: string;
  /** Of the process that runs now, or ran last. */
  readonly pid: number;
  kill(): Promise<void>;
  /** Asks the process to stop, and returns its exit code. */
  stop(): Promise<number | null>;
  /** Starts the process, and waits until it is ready. */
  start(): Promise<void>;
}

export interface ServiceProcesses<Name extends ServiceName> {
  /** All replicas of each service. */
  readonly replicas: Readonly<Record<Name, readonly RunningService[]>>;
  /** The first replica of each. */
  readonly services: Readonly<Record<Name, RunningService>>;
  dispose(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

/**
 * Starts services of the example application over the servers of the tests; each knows where the others are.
 *
 * @param given settings, also as a function of the address of the gateway
 */
export async function startServiceProcesses<const Name extends ServiceName>(
  names: readonly Name[],
  given: Settings | ((gatewayUrl: string) => Settings) = {},
  replicaCount = 1,
): Promise<ServiceProcesses<Name>> {
  const [database, vhost] = await Promise.all([createTestDatabase('faults'), createTestVhost('faults')]);
  const folder = mkdtempSync(join(tmpdir(), 'lintel-faults-'));
  const ports: ReadonlyMap<string, number>[] = [];
  for (let replica = 0; replica < replicaCount; replica += 1) ports.push(await choosePorts());
  const urlOf = (listener: string, replica: number): string => `http://127.0.0.1:${ports[replica]?.get(listener)}`;
  const settings = typeof given === 'function' ? given(urlOf('gateway', 0)) : given;
  const urlsOf = (listener: string): string => ports.map((_, replica) => urlOf(listener, replica)).join(',');
  const environment: Readonly<Record<string, string | undefined>> = {
    PATH: process.env['PATH'],
    SVC_LOG_LEVEL: 'error',
    SVC_DATASOURCE_URL: database.url,
    SVC_BROKER_URLS: vhost.url,
    ...(Object.keys(settings).some((name) => /^SVC_REDIS_(SENTINEL|CLUSTER)_/.test(name))
      ? {}
      : { SVC_REDIS_URL: testEnvironment('LINTEL_TEST_REDIS_URL') }),
    SVC_REDIS_KEY_PREFIX: uniqueName('faults'),
    SVC_INTERNAL_SECRET: 'internal secret of the test, long enough',
    SVC_AUTHSERVER_KEY_ENCRYPTION_SECRET: 'key encryption secret of the test',
    SVC_DEMO_ENABLED: 'true',
    SVC_FILES_STORAGE_FS_KIND: 'folder',
    SVC_FILES_STORAGE_FS_PATH: folder,
    SVC_GATEWAY_AUTH_URL: urlsOf('auth'),
    SVC_GATEWAY_DATA_URL: urlsOf('data'),
    SVC_GATEWAY_FILES_URL: urlsOf('files'),
    SVC_GATEWAY_REPORTS_URL: urlsOf('reports'),
    // Of several replicas of auth whichever is there: as by a name that stands for all of them.
    SVC_AUTHSERVER_JWKS_URL: `${urlOf(replicaCount > 1 ? 'gateway' : 'auth', 0)}/oauth2/jwks`,
    SVC_AUTHSERVER_INTERNAL_URL: urlsOf('auth_internal'),
    SVC_DATA_INTERNAL_URL: urlsOf('data_internal'),
    SVC_FILES_INTERNAL_URL: urlOf('files_internal', 0),
    ...settings,
  };
  const replicas = Object.fromEntries(
    names.map((name) => [
      name,
      ports.map((own, replica) =>
        serviceProcess(name, urlOf(name, replica), { ...environment, ...portVariables(own), ...settings }),
      ),
    ]),
  ) as Record<Name, RunningService[]>;
  const services = Object.fromEntries(names.map((name) => [name, replicas[name][0]])) as Record<Name, RunningService>;
  const all = Object.values<RunningService[]>(replicas).flat();
  const dispose = async (): Promise<void> => {
    for (const service of all) await service.kill();
    await Promise.all([vhost.drop(), database.drop()]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    // One of each first: it brings the database up to date and makes the first keys.
    for (let replica = 0; replica < replicaCount; replica += 1)
      await Promise.all(names.map((name) => replicas[name][replica]?.start()));
  } catch (error) {
    await dispose();
    throw error;
  }
  return { replicas, services, dispose };
}

async function choosePorts(): Promise<ReadonlyMap<string, number>> {
  const ports = new Map<string, number>();
  for (const service of ['auth', 'data', 'files', 'gateway', 'reports']) ports.set(service, await freePort());
  for (const service of ['auth', 'data', 'files']) ports.set(`${service}_internal`, await freePort());
  for (const service of ['auth', 'data', 'files', 'gateway', 'reports']) ports.set(`${service}_management`, 0);
  return ports;
}

const portVariables = (ports: ReadonlyMap<string, number>): Readonly<Record<string, string>> =>
  Object.fromEntries([...ports].map(([listener, port]) => [`SVC_${listener.toUpperCase()}_PORT`, String(port)]));

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
  const hasEnded = (): boolean => child?.exitCode !== null || child.signalCode !== null;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  };
  return {
    url,
    get pid() {
      return child?.pid ?? Number.NaN;
    },
    async start() {
      const main = join(ROOT, 'services', name, 'src', 'main.ts');
      child = spawn(process.execPath, [...SOURCES, main], { cwd: ROOT, env: environment });
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (data: Buffer) => {
          output += data.toString();
        });
      await eventually(
        async () => {
          if (!(await isReady()) && !hasEnded()) throw new Error(`${name} is not ready: ${output}`);
        },
        { timeoutMs: START_DEADLINE_MS, intervalMs: 50 },
      );
      if (hasEnded()) throw new Error(`${name} has ended: ${output}`);
    },
    async kill() {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
  };
}
