import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../bootstrap/paths.mjs';
import { runTurbo } from '../bootstrap/turbo.mjs';
import { runJest } from './stages.mjs';

/** Where jest looks for unit tests; see `jest.config.mjs`. */
const GROUPS = ['apps', 'libs', 'services', 'examples', 'deploy', 'tools', 'bench', 'site'];

/**
 * Unit and property tests: of packages with a script `test:unit` by turbo, which knows the result where nothing has
 * changed; of everything else, which may read any file of the repository, each time.
 *
 * @param {{ workers: number, isForced?: boolean, env?: Record<string, string | undefined> }} options with `isForced` all
 *   tests run
 * @returns {Promise<import('./stages.mjs').StageResult>}
 */
export async function runUnitTests({ workers, isForced = false, env = process.env }) {
  const { cached, others } = packageFolders();
  const results = [await runCached(cached, { workers, isForced, env })];
  if (others.length > 0)
    results.push(await runJest(['unit'], { env, parameters: [`--maxWorkers=${workers}`, '--', ...others] }));
  const known = results[0].known;
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
    output: results.map(({ output }) => output).join('\n'),
    ...(known > 0 && { note: `stored results of ${known} of ${cached.length} packages, which have not changed` }),
  };
}

/** Folders below the root: those of packages that turbo tests, and all others that can have tests. */
export function packageFolders() {
  const folders = GROUPS.flatMap((group) =>
    existsSync(join(ROOT, group, 'package.json'))
      ? [group]
      : readdirSync(join(ROOT, group), { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map(({ name }) => `${group}/${name}`),
  );
  const isCached = (folder) => {
    const file = join(ROOT, folder, 'package.json');
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).scripts?.['test:unit'] !== undefined;
  };
  return {
    cached: folders.filter(isCached),
    others: folders.filter((folder) => !isCached(folder)).map((folder) => `${folder}/`),
  };
}

async function runCached(folders, { workers, isForced, env }) {
  const began = Date.now();
  const fileOf = (folder) => join(ROOT, folder, '.turbo', 'unit-result');
  for (const folder of folders) rmSync(fileOf(folder), { force: true });
  const force = isForced ? ['--force'] : [];
  const { output } = await runTurbo(['test:unit', '--continue=always', `--concurrency=${workers}`, ...force], {
    ...env,
    LINTEL_TEST_NODE_VERSION: process.version,
  });
  const results = folders.map((folder) =>
    existsSync(fileOf(folder))
      ? JSON.parse(readFileSync(fileOf(folder), 'utf8'))
      : { passed: 0, failed: 1, output: `The tests of ${folder} were not run:\n${output}` },
  );
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
    output: results.flatMap((result) => (result.failed > 0 ? [result.output] : [])).join('\n'),
    known: results.filter((result) => result.began < began).length,
  };
}
