import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '@lintel/config/environment';
import { canExecute, type DatabaseUser, databaseUser, provideBinaries } from '@lintel/embedded-database';
import { isCopied } from './is-copied.ts';

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
/** Names the folder below `SHARED`, and the home folder that it belongs to. */
const LOCATION = 'location';

/**
 * Determines the folders. Where the unprivileged user of the database cannot access the clone (below a home folder that
 * only its owner may enter), binaries and data are stored below `/var/lib/lintel`, and the file `location` in the home
 * folder contains the path. The path is random: after the home folder has been deleted or moved away, a new one
 * with the same path gets a new database, since the secrets for the old one are missing. So does a copy of a home
 * folder: the database stays with the folder that was copied.
 */
export async function resolveStatePaths(home: string, onProgress?: (step: string) => void): Promise<StatePaths> {
  mkdirSync(home, { recursive: true });
  const shared = sharedOf(home);
  if (shared?.isCopied === false)
    return { home, database: join(shared.folder, 'database'), binaries: join(shared.folder, 'postgresql') };
  if (shared?.isCopied === true)
    onProgress?.(`This folder is a copy of ${shared.owner}, which keeps its database; this one begins with a new one`);
  const binaries = await provideBinaries({ variables: environment(), ...(onProgress && { onProgress }) });
  const database = join(home, 'database');
  // An existing database is not moved: in another folder there would be a new, empty one.
  if (existsSync(join(database, 'data', 'PG_VERSION'))) return { home, database, binaries };
  const user = databaseUser(join(database, 'data'));
  if (isReachable(binaries, home, user)) return { home, database, binaries };
  const folder = join(SHARED, randomBytes(6).toString('hex'));
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  cpSync(binaries, join(folder, 'postgresql'), { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(home, LOCATION), `${folder}\n${realpathSync(home)}\n`);
  return { home, database: join(folder, 'database'), binaries: join(folder, 'postgresql') };
}

/** The folder below `SHARED` that the home folder names, and whether it belongs to the folder that this one is a copy of. */
function sharedOf(home: string) {
  const location = join(home, LOCATION);
  if (!existsSync(location)) return undefined;
  const [folder = '', owner] = readFileSync(location, 'utf8').trim().split('\n');
  return { folder, owner, isCopied: isCopied(LOCATION, home, owner) };
}

/** Removes a home folder, and what is stored for it below `/var/lib/lintel`. */
export function removeHome(home: string): void {
  const shared = sharedOf(home);
  if (shared?.isCopied === false) rmSync(shared.folder, { recursive: true, force: true });
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
