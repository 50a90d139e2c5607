import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ChildServerOptions {
  readonly name: string;
  readonly program: string;
  readonly parameters: readonly string[];
  /** Temporary folder of the run; output goes to `<name>.log` in it. */
  readonly folder: string;
  readonly workFolder?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** Whether the server responds; called repeatedly. */
  readonly isReady: () => boolean | Promise<boolean>;
  readonly timeoutMs?: number;
}

export interface ChildServer {
  readonly pid: number;
  /** Ends the server and everything it started. `SIGKILL`, the default, is enough for temporary data. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts a server in a process group of its own and waits until it is ready.
 *
 * @throws Error with the last lines of its output when it ends or is not ready in time
 */
export async function startChildServer(options: ChildServerOptions): Promise<ChildServer> {
  const logFile = join(options.folder, `${options.name}.log`);
  const log = openSync(logFile, 'a');
  const child = spawn(options.program, options.parameters, {
    ...options.user,
    cwd: options.workFolder ?? options.folder,
    detached: true,
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: options.folder,
      LANG: 'C.UTF-8',
      ...options.environment,
    },
  });
  closeSync(log);
  const exit = watchExit(child);
  if (child.pid !== undefined) appendFileSync(join(options.folder, 'processes'), `${child.pid}\n`);
  const deadline = performance.now() + (options.timeoutMs ?? 60_000);
  while (exit.reason === undefined && performance.now() < deadline) {
    if (await options.isReady()) return { pid: child.pid ?? 0, stop: (signal) => stopGroup(child, exit, signal) };
    await sleep(30);
  }
  const reason = exit.reason ?? 'it is not ready in time';
  await stopGroup(child, exit);
  const output = readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n');
  throw new Error(`${options.name} does not start: ${reason}\n${output}`);
}

interface Exit {
  reason: string | undefined;
  readonly done: Promise<void>;
}

function watchExit(child: ChildProcess): Exit {
  const done = Promise.withResolvers<void>();
  const exit: Exit = { reason: undefined, done: done.promise };
  const end = (reason: string): void => {
    exit.reason = reason;
    done.resolve();
  };
  child.once('error', (error) => end(error.message));
  child.once('exit', (code, signal) => end(`it ended with ${signal ?? `code ${code}`}`));
  return exit;
}

async function stopGroup(child: ChildProcess, exit: Exit, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.pid === undefined) return;
  signalGroup(child.pid, signal);
  if (signal !== 'SIGKILL') {
    const ended = await Promise.race([exit.done.then(() => true), sleep(15_000, false, { ref: false })]);
    if (!ended) signalGroup(child.pid, 'SIGKILL');
  }
  await exit.done;
}

/** Signals a process with all that belong to its group; one that is gone already is fine. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether a server accepts connections on the loopback port. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Whether a GET of the address returns 2xx. */
export async function respondsOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
