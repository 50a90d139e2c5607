import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signalGroup } from './child-server.ts';

const PREFIX = 'lintel-test-';
/** Files below it are in memory, on Linux. */
const MEMORY = '/dev/shm';
/** The databases of a run take a fifth; tests take the rest. */
const NEEDED_BYTES = 6 * 1024 ** 3;

/** The temporary folder of one run. Others may enter it: servers run as users of their own. */
export interface RunFolder {
  readonly path: string;
  remove(): void;
}

/** Makes the folder, and first clears away what runs that were killed have left: their servers and files. */
export const createRunFolder = (): RunFolder => createFolder(tmpdir());

/**
 * The same for a database: in memory where there is room, where PostgreSQL creates a database with a tenth of the
 * processor time. Programs cannot be started from it everywhere.
 */
export const createDataFolder = (): RunFolder => createFolder(hasMemory() ? MEMORY : tmpdir());

function createFolder(parent: string): RunFolder {
  for (const one of new Set([tmpdir(), MEMORY])) if (existsSync(one)) sweep(one);
  const path = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Containers have little of it unless they are started with more. */
function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) >= NEEDED_BYTES;
}

function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const owner = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : Number.NaN;
    if (!Number.isInteger(owner) || isAlive(owner)) continue;
    const folder = join(parent, name);
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
