import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.mjs';
import { ROOT, STATE } from './paths.mjs';
import { step } from './progress.mjs';
import { runTurbo } from './turbo.mjs';

const STAMP = join(STATE, 'build.stamp');
const GROUPS = ['apps', 'libs', 'services', 'examples', 'deploy', 'tools'];
/** What a build also reads besides its sources, in the packages that have it. */
const ALSO_READ = ['package.json', 'tsconfig.json', 'tsconfig.page.json', 'vite.config.ts', 'index.html'];

/**
 * Builds what has changed. Nothing is started when no source has changed since the last build.
 *
 * @param {typeof step} [show] runs the build, and shows it
 */
export async function build(show = step) {
  const packages = builtPackages();
  const stamp = sourceStamp(packages);
  if (isComplete(packages) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  await show('Building', runBuild);
  mkdirSync(STATE, { recursive: true });
  writeFileSync(STAMP, stamp);
}

/** Whether there is a build of every package, also of older sources. */
export const isBuilt = () => existsSync(STAMP) && isComplete(builtPackages());

const isComplete = (packages) => packages.every((folder) => existsSync(join(folder, 'dist', 'index.js')));

/** Folders of the packages that have a build. */
function builtPackages() {
  return GROUPS.filter((group) => existsSync(join(ROOT, group)))
    .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => join(ROOT, group, name)))
    .filter((folder) => existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'tsconfig.json')));
}

/** Names, sizes and times of all sources: some milliseconds, where reading them would be tenths of a second. */
function sourceStamp(packages) {
  const hash = createHash('sha256');
  const add = (file) => {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  };
  const addFolder = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) addFolder(path);
      else if (!entry.name.endsWith('.test.ts')) add(path);
    }
  };
  for (const file of ['tsconfig.base.json', 'turbo.json', 'package-lock.json']) add(join(ROOT, file));
  for (const folder of packages) {
    for (const name of ALSO_READ) if (existsSync(join(folder, name))) add(join(folder, name));
    for (const name of ['src', 'public']) if (existsSync(join(folder, name))) addFolder(join(folder, name));
  }
  return hash.digest('hex');
}

async function runBuild() {
  const { code, output } = await runTurbo(['build']);
  if (code === 0) return;
  throw new Failure('The build failed.', 'The messages above say where.', output.trim());
}
