import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** One link that the package cannot carry, both ends relative to the package. */
interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Makes the links between the server's libraries (`libpq.so.5` to `libpq.so.5.18`) that an npm package cannot
 * carry. The package has an install script for it, which does not run where install scripts are off.
 *
 * @param folder `native` of the platform's package
 */
export function linkLibraries(folder: string): void {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly Link[];
  for (const { source, target } of links) {
    const link = join(folder, '..', target);
    if (existsSync(link) || dirname(source) !== dirname(target)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      // Another start was faster, or the installation is read-only: then the server says what is missing.
      if (!['EEXIST', 'EACCES', 'EROFS', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}
