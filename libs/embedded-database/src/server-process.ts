import { readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What `postmaster.pid` says about the server of a data folder. */
export interface RunningServer {
  readonly pid: number;
  readonly port: number;
  /** `starting`, `ready`, `stopping`, `standby`; empty while the file is being written. */
  readonly status: string;
}

/**
 * The server that runs on this data folder, or `undefined`. A file that remains after a crash, even when its
 * process id belongs to another program by now, counts as no server.
 */
export function readServerFile(dataFolder: string): RunningServer | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !isServerOf(pid, dataFolder)) return undefined;
  return { pid, port: Number(lines[3] ?? 0), status: (lines[7] ?? '').trim() };
}

/**
 * Stops a server: fast shutdown (running transactions are rolled back, data is written), and after
 * `timeoutMs` the immediate one, which only costs the next start a recovery.
 */
export async function stopServer(pid: number, timeoutMs = 15_000): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!signalServer(pid, signal)) return;
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      if (!isAlive(pid)) return;
      await sleep(15);
    }
  }
}

/** Returns whether there is such a process. */
export function signalServer(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isAlive(pid: number): boolean {
  if (!signalServer(pid, 0)) return false;
  // A zombie (its parent was killed, or is this process) still has its process id.
  return statusLetter(pid) !== 'Z';
}

function statusLetter(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  } catch {
    return undefined;
  }
}

/** Whether the process is a PostgreSQL that works in the folder; without `/proc`, whether it lives at all. */
function isServerOf(pid: number, dataFolder: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    const program = realpathSync.native(`/proc/${pid}/exe`);
    const folder = realpathSync.native(`/proc/${pid}/cwd`);
    return basename(program).startsWith('postgres') && folder === realpathSync.native(dataFolder);
  } catch (error) {
    // Another user's process: it cannot be ours, since the folder and the server have one owner.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && commandLine(pid).includes(dataFolder);
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
