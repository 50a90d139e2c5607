/**
 * First file of every command: `node tools/bootstrap/run.mjs <task>`.
 *
 * Needs nothing but Node 16 and npm: fetches the right Node, installs the packages, builds what has changed
 * and hands over to the task. When there is nothing to do it costs some 30 milliseconds.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { Failure } from './failure.mjs';
import { alone } from './installation/lock.mjs';
import { continueWith, fetchNode, isNewEnough } from './installation/node-version.mjs';
import { installPackages } from './installation/packages.mjs';
import { MEMORY_ENVIRONMENT, STANDALONE_OPTIONS } from './memory-environment.mjs';
import { whenParentIsGone } from './parent-watch.mjs';
import { ROOT, STATE } from './paths.mjs';
import { reportFailure } from './report-failure.mjs';
import { supervise } from './supervision/supervise.mjs';

/**
 * What runs after the preparation, and whether it needs the build. `undefined`: the preparation is all. `first` are
 * parameters before those of the command line. What is supervised runs in a process of its own, which is started again
 * where it dies.
 */
const TASKS = {
  start: { module: 'deploy/standalone/dist/main.js', builds: true, supervisedAs: 'The process of the services' },
  services: { module: 'deploy/services/start-services.mjs', builds: true },
  documents: { module: 'tools/reference/dist/write-release-documents.js', builds: true },
  pack: { module: 'tools/pack/pack.mjs', builds: true },
  migrate: { module: 'deploy/services/migrate.mjs', builds: true },
  'config:print': { module: 'deploy/services/print-config.mjs', builds: true },
  test: { module: 'tools/test/run-tests.mjs', builds: false },
  'test:unit': { module: 'tools/test/run-kind.mjs', builds: false, first: ['unit'] },
  'test:int': { module: 'tools/test/run-kind.mjs', builds: false, first: ['int'] },
  'test:contract': { module: 'tools/test/run-kind.mjs', builds: false, first: ['contract'] },
  'test:watch': { module: 'tools/test/run-kind.mjs', builds: false, first: ['watch'] },
  dev: { module: 'tools/bootstrap/dev.mjs', builds: false },
  bench: { module: 'bench/src/main.ts', builds: true },
  'bench:reports': { module: 'bench/src/reports/main.ts', builds: true },
  lint: { module: 'tools/test/lint.mjs', builds: false },
  boundaries: { module: 'tools/boundaries/src/main.ts', builds: false },
  site: { module: 'tools/site/serve.mjs', builds: false },
  'site:build': { module: 'tools/site/build.mjs', builds: false },
  build: { module: undefined, builds: true },
};

async function main() {
  const [name = '', ...parameters] = process.argv.slice(2);
  const task = TASKS[name];
  if (task === undefined) {
    throw new Failure(`There is no task "${name}".`, `Choose one of ${Object.keys(TASKS).join(', ')}.`);
  }
  process.chdir(ROOT);
  process.env.LINTEL_STARTED_AT = process.env.LINTEL_STARTED_AT || String(Date.now());
  if (!isNewEnough(process.versions.node)) {
    const program = await alone(fetchNode);
    await continueWith(program, fileURLToPath(import.meta.url), process.argv.slice(2));
  }
  whenParentIsGone(() => process.kill(process.pid, 'SIGTERM'));
  await alone(async () => {
    await installPackages();
    if (task.builds) await build();
  });
  if (task.module === undefined) return;
  const file = join(ROOT, task.module);
  if (!existsSync(file)) {
    throw new Failure(`The file ${task.module} is missing.`, 'Restore it with "git checkout ." and start again.');
  }
  if (task.supervisedAs !== undefined) {
    const environment = { ...MEMORY_ENVIRONMENT, NODE_COMPILE_CACHE: join(STATE, 'compile-cache'), ...process.env };
    return supervise(file, parameters, { environment, name: task.supervisedAs, options: STANDALONE_OPTIONS });
  }
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(join(STATE, 'compile-cache'));
  process.argv = [process.argv[0], file, ...(task.first ?? []), ...parameters];
  await import(pathToFileURL(file).href);
}

main().catch(reportFailure);
