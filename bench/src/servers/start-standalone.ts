import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freeLoopbackPort } from '@lintel/embedded-database';
import { logIn } from './log-in.ts';

/** The process of `npm start`, with the database of the benchmark. */
export interface StandaloneProcess {
  /** Address of the gateway. */
  readonly url: string;
  readonly pid: number;
  /** A token of the demo user `admin`, of a new session. */
  logIn(): Promise<string>;
  /** Used part of the heap, garbage included. */
  heapMiB(): Promise<number>;
  stop(): Promise<void>;
}

interface Bootstrap {
  readonly MEMORY_ENVIRONMENT: Readonly<Record<string, string>>;
  readonly STANDALONE_OPTIONS: readonly string[];
}

const ROOT = new URL('../../../', import.meta.url);
const fileOf = (path: string): string => fileURLToPath(new URL(path, ROOT));
const BYTES_PER_MIB = 2 ** 20;

/**
 * Starts the process with the options and the environment of `npm start`, and with the demo users. Its folder is removed
 * at the end.
 *
 * @throws Error with the end of its output if it ends before it is ready
 */
export async function startStandalone(databaseUrl: string, folder: string): Promise<StandaloneProcess> {
  const { MEMORY_ENVIRONMENT, STANDALONE_OPTIONS } = (await import(
    new URL('tools/bootstrap/memory-environment.mjs', ROOT).href
  )) as Bootstrap;
  const home = join(folder, 'standalone');
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const [port, managementPort] = [await freeLoopbackPort(), await freeLoopbackPort()];
  const logFile = join(folder, 'standalone.log');
  const log = openSync(logFile, 'w');
  const parameters = [...STANDALONE_OPTIONS, ...process.execArgv, fileOf('deploy/standalone/dist/main.js')];
  const child = spawn(process.execPath, parameters, {
    cwd: fileOf('.'),
    env: {
      ...MEMORY_ENVIRONMENT,
      NODE_COMPILE_CACHE: fileOf('.lintel/compile-cache'),
      ...process.env,
      LINTEL_HOME: home,
      SVC_DATASOURCE_URL: databaseUrl,
      SVC_DEMO_ENABLED: 'true',
      SVC_GATEWAY_PORT: String(port),
      SVC_GATEWAY_MANAGEMENT_PORT: String(managementPort),
      // One user sends all requests. They are counted, as in production.
      SVC_GATEWAY_RATE_LIMIT_USER: '999999999/1h',
    },
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  await readinessOf(child).catch((error: Error) => {
    throw new Error(`npm start fails: ${error.message}\n${readFileSync(logFile, 'utf8').slice(-2_000)}`);
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    pid: child.pid ?? 0,
    logIn: () => logIn(url),
    heapMiB: () => heapMiB(`http://127.0.0.1:${managementPort}`),
    async stop() {
      await stop(child);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function readinessOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`it ended with ${signal ?? `code ${code}`}`)));
    child.once('message', () => resolve());
  });
}

async function heapMiB(managementUrl: string): Promise<number> {
  const text = await (await fetch(`${managementUrl}/metrics`)).text();
  const used = /^v8js_memory_heap_used_bytes\S* (\S+)/m.exec(text)?.[1];
  if (used === undefined) throw new Error('The metrics have no used heap');
  return Number(used) / BYTES_PER_MIB;
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
