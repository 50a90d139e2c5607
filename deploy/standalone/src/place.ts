import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binariesFolder, canExecute, type DatabaseUser, databaseUser } from '@lintel/embedded-database';

/** Where the standalone mode keeps what it makes. */
export interface Place {
  /** Files, secrets and logs. */
  readonly home: string;
  /** Folder of the database cluster. */
  readonly database: string;
  /** PostgreSQL's `bin`, `lib` and `share`. */
  readonly binaries: string;
}

/** Outside of homes, so that every user can reach it. */
const SHARED = '/var/lib/lintel';

/**
 * Finds the folders. Where the unprivileged user that the database runs as cannot reach the clone (below a
 * home that only its owner may enter), binaries and data go below `/var/lib/lintel`, and `location` in the
 * home folder names the place.
 */
export function findPlace(home: string): Place {
  mkdirSync(home, { recursive: true });
  const location = join(home, 'location');
  if (existsSync(location)) {
    const shared = readFileSync(location, 'utf8').trim();
    return { home, database: join(shared, 'database'), binaries: join(shared, 'postgresql') };
  }
  const binaries = binariesFolder();
  const database = join(home, 'database');
  // Where there is one it stays: another place would be another, empty database.
  if (existsSync(join(database, 'data', 'PG_VERSION'))) return { home, database, binaries };
  const user = databaseUser(join(database, 'data'));
  if (isReachable(binaries, home, user)) return { home, database, binaries };
  const shared = join(SHARED, createHash('sha256').update(home).digest('hex').slice(0, 12));
  mkdirSync(shared, { recursive: true, mode: 0o755 });
  cpSync(binaries, join(shared, 'postgresql'), { recursive: true, verbatimSymlinks: true });
  writeFileSync(location, `${shared}\n`);
  return { home, database: join(shared, 'database'), binaries: join(shared, 'postgresql') };
}

/** The home lies in the clone as a rule; who can start the binaries there can reach it too. */
const isReachable = (binaries: string, home: string, user: DatabaseUser | undefined): boolean =>
  user === undefined || (canExecute(join(binaries, 'bin', 'postgres'), user) && canEnter(home, user));

/** Each process has a probe of its own: one that another process writes to cannot be executed. */
const canEnter = (folder: string, user: DatabaseUser): boolean => {
  const probe = join(folder, `probe-${process.pid}`);
  writeFileSync(probe, '#!/bin/sh\n', { mode: 0o755 });
  try {
    return canExecute(probe, user);
  } finally {
    rmSync(probe, { force: true });
  }
};
