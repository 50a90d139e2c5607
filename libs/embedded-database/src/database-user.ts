import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

/** Who the server runs as, where that is not the caller. */
export interface DatabaseUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root. For root this is the owner of the data folder, else the system user
 * `postgres`, else `nobody`, which every Linux has; for all other users `undefined`: run as the caller.
 */
export function databaseUser(dataFolder: string): DatabaseUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(dataFolder)) {
    const { uid, gid } = statSync(dataFolder);
    if (uid !== 0) return { uid, gid };
  }
  return systemUser('postgres') ?? systemUser('nobody') ?? { uid: 65534, gid: 65534 };
}

function systemUser(name: string): DatabaseUser | undefined {
  const id = (flag: string): number =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined; // `id` fails when there is no such user
  }
}
