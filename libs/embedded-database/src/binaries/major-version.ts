import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The major version of PostgreSQL's binaries, such as `18`; undefined for another layout of the folder. */
export function majorVersion(binaries: string): string | undefined {
  try {
    return readFileSync(join(binaries, 'share', 'postgresql', 'postgres.bki'), 'utf8').match(
      /^# PostgreSQL (\d+)/,
    )?.[1];
  } catch {
    return undefined; // the server itself checks
  }
}
