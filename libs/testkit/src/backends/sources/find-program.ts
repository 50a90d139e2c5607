import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Folders that hold servers but are not on the path of a normal user. */
const MORE_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin', '/opt/homebrew/sbin'];

/** The first of the programs that is installed, as a full path. */
export function findProgram(...names: readonly string[]): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), ...MORE_FOLDERS];
  for (const name of names) {
    for (const folder of folders) {
      const file = join(folder, name);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
