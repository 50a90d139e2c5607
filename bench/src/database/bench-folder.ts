import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder that the database of the benchmarks lives in between runs. */
export interface BenchFolder {
  readonly path: string;
  /** Lets the next run have it. */
  release(): void;
}

/**
 * Takes the folder `LINTEL_BENCH_FOLDER`, by default one in the system's folder for temporary files: the
 * database server may run as another user, who cannot read this clone.
 *
 * @throws Error when another run uses it
 */
export function takeBenchFolder(wanted: string | undefined): BenchFolder {
  const path = wanted ?? join(tmpdir(), `lintel-bench-${process.getuid?.() ?? 'user'}`);
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
  const lock = join(path, 'run.pid');
  const holder = Number(readText(lock) ?? 0);
  if (holder > 0 && isAlive(holder))
    throw new Error(`Another benchmark (process ${holder}) uses ${path}; wait for it, or set LINTEL_BENCH_FOLDER.`);
  writeFileSync(lock, String(process.pid));
  return { path, release: () => rmSync(lock, { force: true }) };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
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
