import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerCommand, ServerNotice, Watched } from './announce.ts';
import type { BundledServer } from './bundle-servers.ts';
import { COMPILED } from './compile-servers.ts';
import type { ServerSettings } from './server-settings.ts';

export interface StartedServer {
  readonly url: string;
  readonly pid: number;
  /** A token that it issued, where it has an auth service. */
  readonly token: string | undefined;
  /** From the start of the process until it listened. */
  readonly startMs: number;
  /** Takes a processor profile while `work` runs. */
  profile(file: string, work: () => Promise<void>): Promise<void>;
  startWatch(): Promise<void>;
  /** What the process noticed of itself since `startWatch`. */
  endWatch(): Promise<Watched>;
  /** From now on the process collects its garbage when it is idle. */
  collectWhenIdle(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the SDK before anything else, as the deployment does. */
const REGISTER = import.meta.resolve('@lintel/telemetry/register');

/** As the deployment has it, which is no package. */
const BOOTSTRAP = new URL('../../../tools/bootstrap/memory-environment.mjs', import.meta.url).href;
const { MEMORY_ENVIRONMENT, STANDALONE_OPTIONS } = (await import(BOOTSTRAP)) as {
  readonly MEMORY_ENVIRONMENT: Readonly<Record<string, string>>;
  readonly STANDALONE_OPTIONS: readonly string[];
};

/** Options with which the deployment starts the same code; servers by hand that log are traced, too. */
const NODE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  'data-service': ['--max-semi-space-size=16', '--heap-growing-percent=50'],
  gateway: ['--max-semi-space-size=4', '--heap-growing-percent=50'],
  standalone: STANDALONE_OPTIONS,
  'express-pg': [],
};

/** Traces alone, and one of a hundred, the same ones in every process. */
const SAMPLING = {
  OTEL_TRACES_SAMPLER: 'traceidratio',
  OTEL_TRACES_SAMPLER_ARG: '0.01',
  OTEL_METRICS_EXPORTER: 'none',
};

export interface ServerStart {
  readonly name: string;
  /** File of this folder, without its ending; `compileServers` has compiled it. */
  readonly program: string;
  readonly settings: ServerSettings;
  /** Takes the traces. */
  readonly collectorUrl: string;
  /** Takes the output, one file for each server: access logs go to the disk as in production. */
  readonly folder: string;
  /** The program with its modules as in the image; without it each module is a file. */
  readonly bundled?: BundledServer | undefined;
}

/**
 * Starts a server as a process of its own and waits until it listens.
 *
 * @throws Error with the end of its output when it ends before
 */
export async function startServer(start: ServerStart): Promise<StartedServer> {
  const { file, register } = start.bundled ?? { file: join(COMPILED, `${start.program}.js`), register: REGISTER };
  const options = NODE_OPTIONS[start.program];
  const parameters = options === undefined ? [] : [...options, '--import', register];
  const logFile = join(start.folder, `${start.name}.log`);
  const log = openSync(logFile, 'w');
  const begin = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, ...parameters, file], {
    env: {
      ...MEMORY_ENVIRONMENT,
      ...process.env,
      ...SAMPLING,
      OTEL_EXPORTER_OTLP_ENDPOINT: start.collectorUrl,
      NODE_ENV: 'production',
      LINTEL_BENCH_SERVER: JSON.stringify(start.settings),
    },
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const { url = '', token } = await noticeOf(child).catch((error: Error) => {
    throw new Error(`${start.name} does not start: ${error.message}\n${readFileSync(logFile, 'utf8').slice(-2_000)}`);
  });
  return {
    url,
    token,
    pid: child.pid ?? 0,
    startMs: performance.now() - begin,
    async profile(target, work) {
      await command(child, { command: 'start-profile' });
      await work();
      await command(child, { command: 'write-profile', file: target });
    },
    async startWatch() {
      await command(child, { command: 'start-watch' });
    },
    async endWatch() {
      const { watched } = await command(child, { command: 'end-watch' });
      if (watched === undefined) throw new Error(`${start.name} did not report what it noticed`);
      return watched;
    },
    async collectWhenIdle() {
      await command(child, { command: 'collect-when-idle' });
    },
    stop: () => stop(child),
  };
}

function noticeOf(child: ChildProcess): Promise<ServerNotice> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`it ended with ${signal ?? `code ${code}`}`)));
    child.once('message', (notice: ServerNotice) => resolve(notice));
  });
}

function command(child: ChildProcess, given: ServerCommand): Promise<ServerNotice> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error(`The server ended at ${given.command}`));
    child.once('exit', ended);
    child.once('message', (notice: ServerNotice) => {
      child.off('exit', ended);
      resolve(notice);
    });
    child.send(given);
  });
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.send({ command: 'stop' } satisfies ServerCommand, (error) => {
      if (error) child.kill('SIGKILL');
    });
  });
}
