import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../command-error.ts';

/** Where npm gets the packages of the platform from: specifications (`file:…`) by name. */
export type PackageSpecifications = Readonly<Record<string, string>>;

/** Written by `npm run pack`. */
const LIST = 'packages.json';

/**
 * The tarballs that `npm run pack` left, relative to the application's folder: in the named folder, or in the
 * clone that this command belongs to.
 *
 * @throws CommandError where there are none
 */
export function findPackages(named: string | undefined, target: string): PackageSpecifications {
  const folder = named === undefined ? packedInClone() : resolve(named);
  const list = join(folder, LIST);
  if (!existsSync(list))
    throw new CommandError(
      `There are no packages in ${folder}`,
      'Run "npm run pack" in a clone of Lintel, or name their folder with --packages',
    );
  const files = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>;
  const missing = Object.values(files).filter((file) => !existsSync(join(folder, file)));
  if (missing.length > 0)
    throw new CommandError(`${missing.join(', ')} is not in ${folder}`, 'Run "npm run pack" in the clone again');
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => [
      name,
      `file:${relative(target, join(folder, file)).split(sep).join('/')}`,
    ]),
  );
}

/** From `tools/lintel/dist/init` or `tools/lintel/src/init`. */
const packedInClone = (): string =>
  join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..', '.lintel', 'packages');
