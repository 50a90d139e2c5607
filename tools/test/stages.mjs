import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../bootstrap/paths.mjs';
import { runProgram } from '../bootstrap/run-program.mjs';

/**
 * @typedef {{ passed: number, failed: number, output: string, note?: string, files?: readonly FileResult[] }} StageResult
 *   `note` is shown with the counts; `files` are the test files that ran
 *
 * @typedef {{ path: string, passed: number, failed: number }} FileResult `failed` is 1 at least if the file could not be run
 */

/** Runs a program of the repository; its output is kept for the case that it fails. */
export async function runTool(parameters, env = process.env) {
  const { code, output } = await runProgram(process.execPath, parameters, { cwd: ROOT, env });
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output };
}

/**
 * Runs jest on some of its projects and counts the tests.
 *
 * @param {readonly string[]} projects
 * @param {{ env?: Record<string, string | undefined>, parameters?: readonly string[], mayBeEmpty?: boolean, within?: readonly string[] }} options
 *   without `mayBeEmpty` it is a failure if there is no test; `within` is a command that runs the command that follows it
 * @returns {Promise<StageResult>}
 */
export async function runJest(projects, { env = process.env, parameters = [], mayBeEmpty = false, within = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-jest-'));
  const report = join(folder, 'report.json');
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const [program, ...before] = [...within, process.execPath];
  const { code, output } = await runProgram(
    program,
    [
      ...before,
      jest,
      '--selectProjects',
      ...projects,
      '--json',
      `--outputFile=${report}`,
      ...(mayBeEmpty ? ['--passWithNoTests'] : []),
      ...parameters,
    ],
    {
      cwd: ROOT,
      env: { ...env, NODE_OPTIONS: '--experimental-vm-modules --no-warnings' },
      // A test that fails may leave a server open, which would keep the process for ever.
      lastLine: /^Test results written to: /m,
    },
  );
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
  rmSync(folder, { recursive: true, force: true });
  if (counts === undefined) return { passed: 0, failed: 1, output };
  const broken = counts.numRuntimeErrorTestSuites;
  const failed = counts.numFailedTests + broken;
  const skipped = counts.numPendingTests + counts.numTodoTests;
  const passed = counts.numPassedTests;
  const files = counts.testResults.map(fileResult);
  // A test that is skipped, or a run that ends badly with every test passed, is a failure all the same.
  if (skipped > 0)
    return { passed, failed: failed + skipped, output: `${skipped} tests were skipped\n${failures(output)}`, files };
  if (passed + failed === 0 && !mayBeEmpty) return { passed, failed: 1, output: `No test was run\n${output}` };
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, output: failures(output), files };
}

/** @returns {FileResult} */
function fileResult({ name: path, status, assertionResults }) {
  const count = (wanted) => assertionResults.filter((each) => each.status === wanted).length;
  const failed = count('failed');
  return { path, passed: count('passed'), failed: status === 'failed' ? Math.max(1, failed) : failed };
}

/** jest's output without the suites that passed and without the report, which goes to the file. */
const failures = (output) =>
  output
    .split('\n')
    .filter((line) => !/^PASS /.test(line) && !line.startsWith('{"numFailedTestSuites"'))
    .join('\n');
