import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signalGroup } from './child-server.ts';

const PREFIX = 'lintel-test-';

/** The temporary folder of one run. Others may enter it: servers run as users of their own. */
export interface RunFolder {
  readonly path: string;
  remove(): void;
}

/** Makes the folder, and first clears away what runs that were killed have left: their servers and files. */
export function createRunFolder(): RunFolder {
  sweep();
  const path = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}

function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : Number.NaN;
    if (!Number.isInteger(owner) || isAlive(owner)) continue;
    const folder = join(tmpdir(), name);
    try {
      for (const pid of leftServers(folder)) signalGroup(pid, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      // Another user's run: it is theirs to clear.
      if (!['EPERM', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

/** Servers of a dead run that still live, checked by their working folder: process ids are used again. */
function leftServers(folder: string): number[] {
  return readdirSync(folder)
    .map((backend) => join(folder, backend, 'processes'))
    .filter((file) => existsSync(file))
    .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n').map(Number))
    .filter((pid) => pid > 1 && commandLine(pid).includes(folder));
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
