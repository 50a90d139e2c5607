import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { Failure } from './failure.mjs';
import { ROOT, STATE } from './place.mjs';
import { step } from './progress.mjs';
import { runProgram } from './run-program.mjs';

const STAMP = join(STATE, 'build.stamp');
const GROUPS = ['libs', 'services', 'examples', 'deploy', 'tools'];

/** Builds what has changed. Nothing is started when no source has changed since the last build. */
export async function build() {
  const packages = builtPackages();
  const stamp = sourceStamp(packages);
  const isComplete = packages.every((folder) => existsSync(join(folder, 'dist', 'index.js')));
  if (isComplete && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  await step('Building', runTurbo);
  mkdirSync(STATE, { recursive: true });
  writeFileSync(STAMP, stamp);
}

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
    add(join(folder, 'package.json'));
    add(join(folder, 'tsconfig.json'));
    if (existsSync(join(folder, 'src'))) addFolder(join(folder, 'src'));
  }
  return hash.digest('hex');
}

async function runTurbo() {
  const turbo = join(ROOT, 'node_modules', 'turbo', 'bin', 'turbo');
  const { code, output } = await runProgram(
    process.execPath,
    [
      turbo,
      'run',
      'build',
      '--cache=local:rw',
      '--no-update-notifier',
      '--output-logs=errors-only',
      '--log-order=grouped',
      '--ui=stream',
    ],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH || ''}`,
        TURBO_TELEMETRY_DISABLED: '1',
        DO_NOT_TRACK: '1',
        TURBO_PRINT_VERSION_DISABLED: '1',
      },
    },
  );
  if (code === 0) return;
  throw new Failure('The build failed.', 'The messages above say where.', output.trim());
}
