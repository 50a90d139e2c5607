/**
 * `npm run test:unit`, `test:int`, `test:contract` and `test:watch`: tests of one kind. What follows `--` is for jest:
 * files or folders, `-t` with a part of a test's name; `--inspect-brk` is for Node, and everything then runs in the
 * process that is debugged. Without any of it all tests of the kind run as they do in `npm test`.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { build, isBuilt } from '../bootstrap/build.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { runChangedTests, storingPackages } from './changed-tests.mjs';
import { IN_ORDER, README_TEST } from './end-to-end.mjs';

const [kind, ...given] = process.argv.slice(2);
const [nodeOptions, parameters] = [given.filter(isForNode), given.filter((parameter) => !isForNode(parameter))];

const KINDS = {
  unit: given.length === 0 ? testUnits : () => runJest('unit'),
  int: () => runJest('integration'),
  contract: testContract,
  watch: () => runJest('unit', '--watch'),
};

function isForNode(parameter) {
  return /^--inspect(-brk|-wait)?(=|$)/.test(parameter);
}

/** Only tests of programs and of whole systems run what has been built; all others run the sources. */
function needsBuild() {
  if (!isBuilt()) return true;
  const named = (groups) => parameters.some((parameter) => new RegExp(`^(\\./)?(${groups})(/|$)`).test(parameter));
  return kind === 'contract' || !named('libs|services|examples|bench') || named('deploy|tools|tests');
}

async function testUnits() {
  const { passed, failed, output, note } = await runChangedTests({
    project: 'unit',
    packages: await storingPackages('unit', process.env),
    workers: availableParallelism(),
  });
  if (failed > 0) process.stdout.write(`${output}\n`);
  process.stdout.write(`${note === undefined ? '' : `${note}\n`}\n${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

/** Runs Jest on the terminal; returns its exit code. */
function runJest(projects, ...options) {
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const inBand = nodeOptions.length > 0 ? ['--runInBand'] : [];
  const child = spawn(
    process.execPath,
    [...nodeOptions, jest, ...parameters, ...options, ...inBand, '--selectProjects', ...projects.split(' ')],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: {
        ...process.env,
        NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
      },
    },
  );
  // Ctrl-C reaches jest by itself.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      process.removeListener('SIGINT', ignore);
      resolve(code ?? 1);
    });
  });
}

/** Against `LINTEL_BASE_URL`, else against a system in one process that is started for it. */
async function testContract() {
  if (process.env.LINTEL_BASE_URL) return runContract();
  const { startHost } = await import('@lintel/testkit/host');
  const { FOR_TESTS, startStandalone } = await import('./system.mjs');
  const programs = await startHost(['office', 'pdf', 'chromium']);
  Object.assign(process.env, programs.environment);
  try {
    const system = await startStandalone(FOR_TESTS);
    Object.assign(process.env, { LINTEL_BASE_URL: system.url, LINTEL_SYSTEM_LOG: system.log });
    try {
      return await runContract();
    } finally {
      const problem = await system.stop();
      if (problem !== undefined) process.stderr.write(`${problem}\n`);
    }
  } finally {
    await programs.stop();
  }
}

/** The test of the README comes first where everything runs: the others change the data that it shows. */
async function runContract() {
  if (parameters.length > 0) return runJest('contract e2e', ...IN_ORDER);
  const first = await runJest('e2e', README_TEST);
  return (await runJest('contract e2e', ...IN_ORDER, '--testPathIgnorePatterns', README_TEST)) || first;
}

if (needsBuild()) await build();
process.exitCode = await KINDS[kind]();
