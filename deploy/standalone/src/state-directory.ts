import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '@lintel/config/environment';
import { canExecute, type DatabaseUser, databaseUser, provideBinaries } from '@lintel/embedded-database';

/** The folders of the standalone mode. */
export interface StatePaths {
  /** Files, secrets and logs. */
  readonly home: string;
  /** Folder of the database cluster. */
  readonly database: string;
  /** PostgreSQL's `bin`, `lib` and `share`. */
  readonly binaries: string;
}

/** Outside of home folders, so that all users can access it. */
const SHARED = '/var/lib/lintel';

/**
 * Determines the folders. Where the unprivileged user of the database cannot access the clone (below a home folder that
 * only its owner may enter), binaries and data are stored below `/var/lib/lintel`, and the file `location` in the home
 * folder contains the path. The path is random: after the home folder has been deleted or moved away, a new one
 * with the same path gets a new database, since the secrets for the old one are missing.
 */
export async function resolveStatePaths(home: string, onProgress?: (step: string) => void): Promise<StatePaths> {
  mkdirSync(home, { recursive: true });
  const location = join(home, 'location');
  if (existsSync(location)) {
    const shared = readFileSync(location, 'utf8').trim();
    return { home, database: join(shared, 'database'), binaries: join(shared, 'postgresql') };
  }
  const binaries = await provideBinaries({ variables: environment(), ...(onProgress && { onProgress }) });
  const database = join(home, 'database');
  // An existing database is not moved: in another folder there would be a new, empty one.
  if (existsSync(join(database, 'data', 'PG_VERSION'))) return { home, database, binaries };
  const user = databaseUser(join(database, 'data'));
  if (isReachable(binaries, home, user)) return { home, database, binaries };
  const shared = join(SHARED, randomBytes(6).toString('hex'));
  mkdirSync(shared, { recursive: true, mode: 0o755 });
  cpSync(binaries, join(shared, 'postgresql'), { recursive: true, verbatimSymlinks: true });
  writeFileSync(location, `${shared}\n`);
  return { home, database: join(shared, 'database'), binaries: join(shared, 'postgresql') };
}

/** Removes a home folder, and what is stored for it below `/var/lib/lintel`. */
export function removeHome(home: string): void {
  const location = join(home, 'location');
  if (existsSync(location)) rmSync(readFileSync(location, 'utf8').trim(), { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
}

/** Whether the user can execute the binaries and enter the home folder, which usually is in the clone, too. */
const isReachable = (binaries: string, home: string, user: DatabaseUser | undefined): boolean =>
  user === undefined || (canExecute(join(binaries, 'bin', 'postgres'), user) && canEnter(home, user));

/** Each process has a probe of its own: a file that another process writes to cannot be executed. */
const canEnter = (folder: string, user: DatabaseUser): boolean => {
  const probe = join(folder, `probe-${process.pid}`);
  writeFileSync(probe, '#!/bin/sh\n', { mode: 0o755 });
  try {
    return canExecute(probe, user);
  } finally {
    rmSync(probe, { force: true });
  }
};
