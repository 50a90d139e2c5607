import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

/** The folder of the package of a module specifier. */
export function applicationFolder(specifier: string, workingFolder: string): string {
  const isPath = specifier.startsWith('.') || specifier.startsWith('/');
  const path = isPath
    ? resolve(workingFolder, specifier)
    : createRequire(join(workingFolder, 'package.json')).resolve(specifier);
  let folder = existsSync(path) && statSync(path).isDirectory() ? path : dirname(path);
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`${specifier} is in no package: give --folder`);
    folder = parent;
  }
  return folder;
}
