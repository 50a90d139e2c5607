import { join } from 'node:path';
import { ROOT } from '../bootstrap/paths.mjs';
import { runJest } from './stages.mjs';

/** It compares whole responses: the other tests change the demo data. */
export const README_TEST = 'tests/e2e/readme.test.ts';

/** Tests whose results do not depend on the number of processes. */
export const OF_ONE_MODE = ['tests/contract/openapi/valid-documents.test.ts', 'tests/e2e/explorer-appearance.test.ts'];

/** One file after the other, in one order on all machines: they share the data of the system. */
export const IN_ORDER = ['--runInBand', '--testSequencer', join(ROOT, 'tools', 'test', 'by-path-sequencer.mjs')];

/**
 * The public tests against a running system; that it stops cleanly is one of them.
 *
 * @param {() => Promise<{ url: string, seconds: number, log: string, environment?: Record<string, string>, stop(): Promise<string | undefined> }>} start
 * @param {Record<string, string | undefined>} environment of the tests
 * @param {readonly string[]} [except] files that do not run
 * @returns {Promise<import('./stages.mjs').StageResult>}
 */
export async function endToEnd(start, environment, except = []) {
  const system = await start();
  const env = {
    ...environment,
    ...system.environment,
    LINTEL_BASE_URL: system.url,
    LINTEL_SYSTEM_LOG: system.log,
  };
  let readme;
  let others;
  let problem;
  try {
    readme = await runJest(['e2e'], { env, parameters: [README_TEST] });
    const parameters = [...IN_ORDER, '--testPathIgnorePatterns', README_TEST, ...except];
    others = await runJest(['contract', 'e2e'], { env, parameters });
  } finally {
    problem = await system.stop();
  }
  return {
    passed: readme.passed + others.passed + (problem === undefined ? 1 : 0),
    failed: readme.failed + others.failed + (problem === undefined ? 0 : 1),
    output: [readme.output, others.output, problem].filter(Boolean).join('\n'),
    note: `ready after ${system.seconds.toFixed(1)} s`,
  };
}
