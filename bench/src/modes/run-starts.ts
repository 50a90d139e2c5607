import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { provide } from '@lintel/testkit/backends';
import { memoryOf } from '../measure/processes.ts';
import { medianOf } from '../measure/statistics.ts';
import { markdownTable } from '../report/markdown-table.ts';
import { makeEmptyService } from '../starts/make-empty-service.ts';
import { LIMITS } from '../targets.ts';

/** Starts of one program, with its backends there. */
export interface MeasuredStart {
  /** From the start of the process until `/health/ready` responds with 200: median, and all of them. */
  readonly startMs: number;
  readonly allMs: readonly number[];
  /** Resident some seconds later, when nothing was asked of it. */
  readonly idleMiB: number;
}

/** How a service starts by itself. */
export interface ServiceStart extends MeasuredStart {
  readonly service: string;
  /** A service without code of ours, which imports the same libraries. */
  readonly empty: MeasuredStart;
}

/** A process of the plan of `npm run services`. */
interface PlannedProcess {
  readonly name: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly url: string;
}

/** What the image of a service holds, and how it is started. */
interface Image {
  readonly folder: string;
  readonly cache: string;
  readonly parameters: readonly string[];
}

interface ImageTools {
  makeRuntime(target: string, service: string): Promise<unknown>;
  compileAhead(service: string, cache: string, image: string): void;
  optionsToCompileFor(service: string): readonly (readonly string[])[];
}

const DEPLOY = new URL('../../../deploy/', import.meta.url);
const ROUNDS = 5;
const POLL_MS = 10;
const DEADLINE_MS = 30_000;
/** By then a process has given back what its start left. */
const IDLE_MS = 12_000;

/**
 * Starts each service of the system several times, one at a time, from what its image holds and as its container does,
 * against backends of its own. The first start of each brings the files into memory and does not count.
 */
export async function runStarts(onProgress: (step: string) => void): Promise<readonly ServiceStart[]> {
  await using stack = new AsyncDisposableStack();
  onProgress('Starting PostgreSQL, Redis and RabbitMQ');
  const wanted = { postgres: true, redis: true, amqp: true } as const;
  const backends = stack.adopt(await provide(wanted, onProgress), (provided) => provided.stop());
  const folder = mkdtempSync(join(tmpdir(), 'lintel-starts-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const environment = { ...process.env, ...settingsOf(backends.environment, folder) };
  const { planProcesses } = (await import(new URL('services/plan-processes.mjs', DEPLOY).href)) as {
    planProcesses(given: NodeJS.ProcessEnv): Promise<{ readonly services: readonly PlannedProcess[] }>;
  };
  const { services } = await planProcesses(environment);
  const starts: ServiceStart[] = [];
  for (const service of services) {
    const ours = await makeImage(service.name, join(folder, service.name), makeRuntime);
    const empty = await makeImage(service.name, join(folder, `empty-${service.name}`), makeEmptyService);
    const [start, emptyStart] = await measureAlternately(service, [ours, empty]);
    if (start === undefined || emptyStart === undefined) continue;
    starts.push({ service: service.name, ...start, empty: emptyStart });
    onProgress(`${service.name}: ${describe(start)}; with its libraries alone: ${describe(emptyStart)}`);
  }
  return starts;
}

const describe = ({ startMs, idleMiB }: MeasuredStart): string => `${startMs} ms, idle ${Math.round(idleMiB)} MiB`;

/** What else the machine does changes within seconds: the images take turns. */
async function measureAlternately(
  service: PlannedProcess,
  images: readonly Image[],
): Promise<readonly MeasuredStart[]> {
  const all = images.map(() => ({ allMs: [] as number[], idleMiB: 0 }));
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [at, image] of images.entries()) {
      const isLast = round === ROUNDS;
      const start = await startOnce(service, image, isLast ? IDLE_MS : 0);
      const measured = all[at];
      if (measured === undefined || round === 0) continue;
      measured.allMs.push(Math.round(start.startMs));
      if (isLast) measured.idleMiB = start.rssMiB;
    }
  return all.map(({ allMs, idleMiB }) => ({ startMs: medianOf(allMs), allMs, idleMiB }));
}

/** Settings of a system on the servers of the test kit. */
function settingsOf(servers: Readonly<Record<string, string>>, folder: string): Readonly<Record<string, string>> {
  const listeners = ['GATEWAY', 'AUTH', 'AUTH_INTERNAL', 'DATA', 'DATA_INTERNAL', 'FILES', 'FILES_INTERNAL', 'REPORTS'];
  const managed = ['GATEWAY', 'AUTH', 'DATA', 'FILES', 'REPORTS'].map((name) => `${name}_MANAGEMENT`);
  return {
    SVC_DATASOURCE_URL: servers['LINTEL_TEST_POSTGRES_URL'] ?? '',
    SVC_BROKER_URLS: servers['LINTEL_TEST_AMQP_URL'] ?? '',
    SVC_REDIS_URL: servers['LINTEL_TEST_REDIS_URL'] ?? '',
    SVC_INTERNAL_SECRET: randomUUID(),
    SVC_AUTHSERVER_KEY_ENCRYPTION_SECRET: randomUUID(),
    SVC_FILES_STORAGE_FS_KIND: 'folder',
    SVC_FILES_STORAGE_FS_PATH: folder,
    SVC_LOG_LEVEL: 'error',
    // The clients of the example application.
    SVC_SECURITY_ALLOW_INSECURE: 'default-secrets',
    ...Object.fromEntries([...listeners, ...managed].map((name) => [`SVC_${name}_PORT`, '0'])),
  };
}

async function makeRuntime(folder: string, service: string): Promise<void> {
  const tools = (await import(new URL('images/make-runtime.mjs', DEPLOY).href)) as ImageTools;
  await tools.makeRuntime(folder, service);
}

async function makeImage(
  service: string,
  folder: string,
  fill: (folder: string, service: string) => Promise<void>,
): Promise<Image> {
  const { compileAhead, optionsToCompileFor } = (await import(
    new URL('images/compile-ahead.mjs', DEPLOY).href
  )) as ImageTools;
  const cache = join(folder, 'compile-cache');
  await fill(folder, service);
  // As in the image: without it Node looks into each file whether it is an ES module.
  cpSync(new URL('../package.json', DEPLOY), join(folder, 'package.json'));
  compileAhead(service, cache, folder);
  const options = optionsToCompileFor(service).at(-1) ?? [];
  return { folder, cache, parameters: [...options, '--import', '@lintel/telemetry/register', 'service/dist/main.js'] };
}

async function startOnce({ name, environment, url }: PlannedProcess, image: Image, idleMs: number) {
  const begin = performance.now();
  const child = spawn(process.execPath, image.parameters, {
    cwd: image.folder,
    env: { ...environment, NODE_ENV: 'production', NODE_COMPILE_CACHE: image.cache, PORT: new URL(url).port },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null) createInterface({ input: stream }).on('line', (line) => lines.push(line));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    while (!(await isReady(url))) {
      if (child.exitCode !== null || performance.now() - begin > DEADLINE_MS)
        throw new Error(`${name} does not become ready:\n${lines.slice(-20).join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const startMs = performance.now() - begin;
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    return { startMs, rssMiB: memoryOf(child.pid ?? 0)?.rssMiB ?? 0 };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health/ready`)).ok;
  } catch {
    // Nothing listens yet.
    return false;
  }
}

/** The start of each service and its idle memory, and those of an empty service with its libraries. */
export function formatStarts(services: readonly ServiceStart[]): string {
  const kinds = ['ready after, ms', 'idle, MiB'];
  const cells = ({ startMs, idleMiB }: MeasuredStart): readonly string[] =>
    [startMs, idleMiB].map((value) => String(Math.round(value)));
  return markdownTable(
    ['Service', `limit ${LIMITS.startMs} ms`, ...kinds, ...kinds.map((kind) => `libraries alone: ${kind}`)],
    services.map(({ service, empty, ...start }) => [
      ...[service, start.startMs <= LIMITS.startMs ? '✓' : '✗'],
      ...cells(start),
      ...cells(empty),
    ]),
    2,
  );
}
