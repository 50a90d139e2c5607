import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether a file of a home folder has come with a copy of the folder: the folder that it names is another one, and has
 * the same file. A folder that was moved is no copy.
 *
 * @param of path of the home folder that the file names; a file of an earlier version names none
 */
export function isCopied(file: string, home: string, of: string | undefined): boolean {
  if (of === undefined || of === realpathSync(home)) return false;
  try {
    return readFileSync(join(of, file), 'utf8') === readFileSync(join(home, file), 'utf8');
  } catch {
    return false; // moved
  }
}
