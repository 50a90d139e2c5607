import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../command-error.ts';

/** Where npm gets the packages of the platform from: specifications (`file:…`) by name. */
export type PackageSpecifications = Readonly<Record<string, string>>;

/** Written by `npm run pack`. */
const LIST = 'packages.json';

/** The packages of a new application, in the version of this command. */
const PUBLISHED = ['application', 'cli', 'config', 'http', 'metadata', 'security', 'test'];

/**
 * In a clone, and for a named folder: the tarballs that `npm run pack` left, relative to the application's folder. Else
 * the versions of the registry that this command was installed from.
 *
 * @throws CommandError where there are none
 */
export function findPackages(named: string | undefined, target: string): PackageSpecifications {
  if (named === undefined && !existsSync(CLONE)) return publishedPackages();
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

/** Only a clone has it: `tools/bootstrap`, from `tools/lintel/dist/init` or `tools/lintel/src/init`. */
const CLONE = fileURLToPath(new URL('../../../bootstrap/lintel.mjs', import.meta.url));

function publishedPackages(): PackageSpecifications {
  const description = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(description) as { version: string };
  return Object.fromEntries(PUBLISHED.map((name) => [`@lintel/${name}`, version]));
}

/** From `tools/lintel/dist/init` or `tools/lintel/src/init`. */
const packedInClone = (): string =>
  join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..', '.lintel', 'packages');
