/**
 * Copies what the image of a service needs at run time, and nothing else, into a folder that keeps the layout of the
 * repository.
 *
 * `npm ci --omit=dev -w <package>` installs the development dependencies of linked packages too, half of
 * what would be in the image; so we follow `dependencies` ourselves through the packages that are installed.
 */
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** What applications are written with; a service must resolve it for a module that a layer adds. */
const PUBLIC_PACKAGES = ['@lintel/application', '@lintel/metadata', '@lintel/security', '@lintel/http'];
/** No program reads these. */
const LEFT_OUT = /(\.d\.[cm]?ts|\.map|\.tsbuildinfo)$/;

/**
 * What the image of a service holds besides it: the example application, the migration tool for the one-shot
 * container that migrates, and what applications import.
 *
 * @param {string} service
 * @returns {readonly string[]} packages
 */
export const imageContents = (service) => [
  `@lintel/${service}`,
  '@lintel/example-sales',
  '@lintel/migrate',
  ...PUBLIC_PACKAGES,
];

/**
 * Copies packages with everything they depend on.
 *
 * @param {string} target a folder that is made
 * @param {readonly string[]} names packages of this repository
 * @param {string} [root] the repository
 * @returns {readonly string[]} folders that were copied, relative to the repository
 * @throws {Error} naming the package that is not installed or not built
 */
export function collectRuntime(target, names, root = REPOSITORY) {
  const paths = new Map();
  for (const name of names) follow(name, root, root, paths);
  const folders = [...new Set(paths.values())];
  for (const folder of folders) copyPackage(folder, join(target, relative(root, folder)));
  for (const path of paths.keys()) linkPackage(path, join(target, relative(root, path)));
  return folders.map((folder) => relative(root, folder));
}

/** Notes down where a package and its dependencies are installed: the path, and the folder it leads to. */
function follow(name, from, root, paths) {
  const path = find(name, from, root);
  if (path === undefined) throw new Error(`${name} is not installed; ${relative(root, from) || 'the image'} needs it`);
  if (paths.has(path)) return;
  const folder = realpathSync(path);
  paths.set(path, folder);
  for (const needed of neededBy(folder, root)) follow(needed, folder, root, paths);
}

/** Names of the packages that a package needs when it runs. */
function neededBy(folder, root) {
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = describe(folder);
  const isOptional = (needed) => needed in optionalDependencies || peerDependenciesMeta[needed]?.optional === true;
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).filter(
    // Programs of other platforms are not installed; an optional peer belongs to another package.
    (needed) => !isOptional(needed) || (needed in optionalDependencies && find(needed, folder, root) !== undefined),
  );
}

/**
 * The folders that the packages which a package needs were found in.
 *
 * @param {string} folder relative to the repository
 * @param {string} [root] the repository
 */
export const foldersNeededBy = (folder, root = REPOSITORY) =>
  neededBy(join(root, folder), root).map((name) => relative(root, realpathSync(find(name, join(root, folder), root))));

/** The path where Node would find the package, seen from a folder. */
function find(name, from, root) {
  for (let folder = from; folder === root || folder.startsWith(root + sep); folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(join(path, 'package.json'))) return path;
  }
  return undefined;
}

function copyPackage(folder, destination) {
  mkdirSync(destination, { recursive: true });
  const isOurs = !folder.includes(`${sep}node_modules${sep}`);
  for (const name of isOurs ? ownFiles(folder) : ['.']) {
    cpSync(join(folder, name), join(destination, name), {
      recursive: true,
      // Packages that a package carries inside are followed by themselves.
      filter: (path) => !LEFT_OUT.test(path) && relative(folder, path).split(sep)[0] !== 'node_modules',
    });
  }
}

/** The files that the package would publish. */
function ownFiles(folder) {
  const { files = [], name } = describe(folder);
  const missing = files.filter((file) => !existsSync(join(folder, file)));
  if (missing.length > 0) throw new Error(`${name} has no ${missing.join(', ')}: build first`);
  return ['package.json', ...files];
}

/** Packages of the repository are links in `node_modules`. */
function linkPackage(path, link) {
  if (!lstatSync(path).isSymbolicLink()) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(relative(dirname(path), realpathSync(path)), link);
}

/** The description of the package in a folder. */
export const describe = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
