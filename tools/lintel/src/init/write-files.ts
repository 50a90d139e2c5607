import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandError } from '../command-error.ts';

/**
 * Writes files below a folder, which is made.
 *
 * @returns their paths
 * @throws CommandError where one is there and `overwrites` is false; nothing is written then
 */
export function writeFiles(folder: string, files: ReadonlyMap<string, string>, overwrites: boolean): readonly string[] {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new CommandError(`${folder} is a file`, 'Name a folder');
  const present = [...files.keys()].filter((path) => existsSync(join(folder, path)));
  if (present.length > 0 && !overwrites)
    throw new CommandError(
      `${folder} has ${present.join(', ')} already`,
      'Nothing was written: choose an empty folder, or overwrite them with --force',
    );
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return [...files.keys()];
}
