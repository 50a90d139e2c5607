import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../bootstrap/paths.mjs';
import { turboHashes } from '../bootstrap/turbo.mjs';
import { runJest } from './stages.mjs';

/** The tasks of `turbo.json` that name what the tests of a project of jest depend on. */
const TASKS = { unit: 'test:unit', integration: 'test:int' };

/**
 * The packages whose results are stored, with a hash of everything that their tests depend on.
 *
 * @param {'unit' | 'integration'} project of jest
 * @param {Record<string, string | undefined>} env
 */
export const storingPackages = (project, env) =>
  turboHashes(TASKS[project], { ...env, LINTEL_TEST_NODE_VERSION: process.version });

/**
 * Runs the tests of a project of jest in one process with its workers. Those of a package that passed before do not run
 * again until something changes that they depend on: the hash that turbo computes for the package (`turbo.json` names the
 * files) covers it. Packages without that task may depend on any file of the repository; their tests always run.
 *
 * @param {{
 *   project: 'unit' | 'integration',
 *   packages: Awaited<ReturnType<typeof storingPackages>>,
 *   only?: readonly string[],
 *   exclude?: readonly string[],
 *   workers?: number,
 *   isForced?: boolean,
 *   env?: Record<string, string | undefined>,
 * }} options `only` and `exclude` are patterns of folders, whole names; with `isForced` all tests run
 * @returns {Promise<import('./stages.mjs').StageResult>}
 */
export async function runChangedTests(options) {
  const { project, packages, only = [], exclude = [], workers, isForced = false, env = process.env } = options;
  const isChosen = ({ folder }) => !isBelow(folder, exclude) && (only.length === 0 || isBelow(folder, only));
  const chosen = packages.filter(isChosen);
  const unchanged = isForced ? [] : chosen.filter(({ folder, hash }) => storedResult(project, folder)?.hash === hash);
  const result = await runJest([project], {
    env,
    parameters: [
      ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
      '--',
      pathPattern(only, [...exclude, ...unchanged.map(({ folder }) => folder)]),
    ],
    mayBeEmpty: unchanged.length > 0,
  });
  // If jest itself failed, the results of its files are not known either.
  if (result.failed === (result.files ?? []).reduce((sum, { failed }) => sum + failed, 0))
    for (const one of chosen) if (!unchanged.includes(one)) storeResult(project, one, result.files ?? []);
  if (unchanged.length === 0) return result;
  return {
    ...result,
    passed: unchanged.reduce((sum, { folder }) => sum + (storedResult(project, folder)?.passed ?? 0), result.passed),
    note: `stored results of ${unchanged.length} of ${chosen.length} packages, which have not changed`,
  };
}

const isBelow = (folder, patterns) => patterns.length > 0 && new RegExp(`^(${patterns.join('|')})(/|$)`).test(folder);

/**
 * Matches files in some folders and not in others. jest compares it with the path in the repository, and with the absolute
 * one, which it must not match.
 *
 * @param {readonly string[]} only any folder where it is empty
 * @param {readonly string[]} exclude
 */
export function pathPattern(only, exclude) {
  const notIn = exclude.length === 0 ? '' : `(?!(${exclude.join('|')})/)`;
  return `^${notIn}${only.length === 0 ? '\\w' : `(${only.join('|')})/`}`;
}

const fileOf = (project, folder) => join(ROOT, folder, '.turbo', `${project}-result`);

/** The hash of the package when its tests passed, and the number of its tests. */
function storedResult(project, folder) {
  const file = fileOf(project, folder);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Stores the result of a package whose tests have passed. */
function storeResult(project, { folder, hash }, files) {
  const own = files.filter(({ path }) => path.startsWith(join(ROOT, folder, '/')));
  if (own.length === 0 || own.some(({ failed }) => failed > 0)) return;
  mkdirSync(join(ROOT, folder, '.turbo'), { recursive: true });
  const passed = own.reduce((sum, file) => sum + file.passed, 0);
  writeFileSync(fileOf(project, folder), JSON.stringify({ hash, passed }));
}
