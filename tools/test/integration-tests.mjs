import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../bootstrap/paths.mjs';
import { turboHashes } from '../bootstrap/turbo.mjs';
import { runJest } from './stages.mjs';

/**
 * The integration tests. Those of a package whose tests passed before do not run again until something changes that
 * they depend on: the hash that turbo computes for `test:int` of the package (`turbo.json` names the files) covers it.
 * Packages without that task may depend on any file of the repository; their tests always run.
 *
 * @param {{
 *   exclude: readonly string[],
 *   servers: string,
 *   isForced?: boolean,
 *   env?: Record<string, string | undefined>,
 * }} options `exclude` are patterns of folders; `servers` describes the servers of the tests; with `isForced` all tests run
 * @returns {Promise<import('./stages.mjs').StageResult>}
 */
export async function runIntegrationTests({ exclude, servers, isForced = false, env = process.env }) {
  const packages = await turboHashes('test:int', {
    ...env,
    LINTEL_TEST_NODE_VERSION: process.version,
    LINTEL_TEST_SERVERS: servers,
  });
  const unchanged = isForced ? [] : packages.filter(({ folder, hash }) => storedResult(folder)?.hash === hash);
  const excluded = [...exclude, ...unchanged.map(({ folder }) => folder)].map((path) => `(^|/)${path}/`).join('|');
  // jest compares the pattern with the path in the repository and with the absolute one.
  const result = await runJest(['integration'], { env, parameters: ['--', `^(?!.*(${excluded}))`] });
  // If jest itself failed, the results of its files are not known either.
  if (result.failed === (result.files ?? []).reduce((sum, { failed }) => sum + failed, 0))
    for (const one of packages) if (!unchanged.includes(one)) storeResult(one, result.files ?? []);
  if (unchanged.length === 0) return result;
  return {
    ...result,
    passed: unchanged.reduce((sum, { folder }) => sum + (storedResult(folder)?.passed ?? 0), result.passed),
    note: `stored results of ${unchanged.length} of ${packages.length} packages, which have not changed`,
  };
}

const fileOf = (folder) => join(ROOT, folder, '.turbo', 'integration-result');

/** The hash of the package when its tests passed, and the number of its tests. */
const storedResult = (folder) =>
  existsSync(fileOf(folder)) ? JSON.parse(readFileSync(fileOf(folder), 'utf8')) : undefined;

/** Stores the result of a package whose tests have passed. */
function storeResult({ folder, hash }, files) {
  const own = files.filter(({ path }) => path.startsWith(join(ROOT, folder, '/')));
  if (own.length === 0 || own.some(({ failed }) => failed > 0)) return;
  mkdirSync(join(ROOT, folder, '.turbo'), { recursive: true });
  const passed = own.reduce((sum, file) => sum + file.passed, 0);
  writeFileSync(fileOf(folder), JSON.stringify({ hash, passed }));
}
