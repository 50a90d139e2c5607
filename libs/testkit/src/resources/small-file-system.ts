import { execFile } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A file system of its own that a test can fill. */
export interface SmallFileSystem {
  readonly path: string;
  /** Leaves so many bytes free. */
  fill(freeBytes: number): Promise<void>;
  /** Takes back what `fill` did. */
  free(): Promise<void>;
  drop(): Promise<void>;
}

const run = promisify(execFile);

/**
 * Mounts a file system in memory.
 *
 * @returns in words why this machine does not let us, which takes the privilege to mount (CAP_SYS_ADMIN)
 */
export async function mountSmallFileSystem(sizeBytes: number): Promise<SmallFileSystem | string> {
  const path = await mkdtemp(join(tmpdir(), 'lintel-small-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes},mode=0777`, 'lintel-test', path]);
  } catch (error) {
    await rm(path, { recursive: true });
    return error instanceof Error ? error.message.trim() : String(error);
  }
  const ballast = join(path, 'ballast');
  return {
    path,
    async fill(freeBytes) {
      const { bavail, bsize } = await statfs(path);
      await writeFile(ballast, Buffer.alloc(bavail * bsize - freeBytes));
    },
    free: () => rm(ballast, { force: true }),
    async drop() {
      await run('umount', ['--lazy', path]);
      await rm(path, { recursive: true });
    },
  };
}
