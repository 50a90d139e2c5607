/**
 * `npm test`: everything there is to test, in stages, with one summary. A stage that fails does not keep the
 * others from running. The last line is `N passed, N failed`.
 *
 * `--long` adds the long variants (`*.long.test.ts`), and 10,000 cases for each property of the unit tests. What is
 * chosen at random begins with the same seed in every run; with `--long`, and without `LINTEL_PROPERTY_SEED`, with
 * another one, which is printed.
 */
import { randomInt } from 'node:crypto';
import { build } from '../bootstrap/build.mjs';
import { runJest, runTool } from './stages.mjs';
import { startStandalone } from './system.mjs';

const isLong = process.argv.includes('--long');
const results = [];

/** Runs a stage, reports it at once and keeps its result. */
async function stage(title, work) {
  const begin = Date.now();
  process.stdout.write(`  … ${title}\n`);
  let result;
  try {
    result = await work();
  } catch (error) {
    result = { passed: 0, failed: 1, output: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  const seconds = (Date.now() - begin) / 1000;
  const mark = result.failed === 0 ? '✓' : '✗';
  process.stdout.write(
    `  ${mark} ${title}: ${result.passed} passed, ${result.failed} failed (${seconds.toFixed(1)} s)\n`,
  );
  if (result.failed > 0) process.stdout.write(`${result.output}\n`);
  results.push({ title, seconds, ...result });
  return result;
}

/** Fault tests read it: each fault then lasts longer and comes again and again. */
const longFaults = () => (isLong ? { LINTEL_TEST_LONG: 'true' } : {});
const propertyRuns = () => (isLong ? { LINTEL_PROPERTY_RUNS: '10000' } : {});
/** As many cases take longer than the minute that a test usually has. */
const propertyTime = () => (isLong ? ['--testTimeout=1200000'] : []);

/** Every stage takes it from the environment. */
function chooseSeed() {
  if (!isLong) return;
  process.env['LINTEL_PROPERTY_SEED'] ??= String(randomInt(1_000_000_000));
  process.stdout.write(`  LINTEL_PROPERTY_SEED=${process.env['LINTEL_PROPERTY_SEED']}\n`);
}

async function main() {
  chooseSeed();
  await stage('lint and import rules', () => runTool(['tools/test/lint.mjs']));
  await stage('build', async () => {
    await build();
    return { passed: 1, failed: 0, output: '' };
  });
  await stage('types of the tests', () => runTool(['node_modules/typescript/bin/tsc', '-p', 'tsconfig.tests.json']));
  await stage('unit and property tests', () =>
    runJest(['unit'], { env: { ...propertyRuns(), ...process.env }, parameters: propertyTime() }),
  );
  await stage('newcomer: the commands of README and guide', () => runJest(['newcomer']));
  await withServers(async (servers) => {
    await stage('integration tests', () => runJest(['integration'], { env: { ...process.env, ...servers } }));
    await stage('contract and end-to-end, one process', () => endToEnd(startStandalone));
    await stage('contract and end-to-end, five processes', async () => {
      const { startServices } = await import('./services-system.mjs');
      return endToEnd(() => startServices(servers));
    });
    await stage('fault tests', () =>
      runJest(['faults'], {
        env: { ...longFaults(), ...process.env, ...servers },
        // They wait more than they work.
        parameters: ['--maxWorkers=2'],
      }),
    );
    if (isLong) await stage('long tests', () => runJest(['long'], { env: { ...process.env, ...servers } }));
  });
  summarize();
}

/** Starts the servers once for all stages; without them those stages fail, with the remedy. */
async function withServers(work) {
  let host;
  const provided = await stage(
    'servers and programs: PostgreSQL, Redis, RabbitMQ, S3, LibreOffice, Poppler, Chromium, Helm, Kustomize',
    async () => {
      const { startHost } = await import('@lintel/testkit/host');
      host = await startHost(['postgres', 'redis', 'amqp', 's3', 'office', 'pdf', 'chromium', 'helm', 'kustomize']);
      for (const { backend, origin, seconds } of host.origins)
        process.stdout.write(`      ${backend}: ${origin} (${seconds.toFixed(1)} s)\n`);
      for (const { backend, reason } of host.missing)
        process.stdout.write(`      !!! ${backend} IS ABSENT (LINTEL_TEST_ALLOW_MISSING): ${reason}\n`);
      return { passed: 1, failed: 0, output: '' };
    },
  );
  if (provided.failed > 0) return;
  try {
    Object.assign(process.env, host.environment);
    await work(host.environment);
  } finally {
    await host.stop();
  }
}

/** The public tests against a running system; that it stops cleanly is one of them. */
async function endToEnd(start) {
  const system = await start();
  process.stdout.write(`      ready after ${system.seconds.toFixed(1)} s\n`);
  const env = { ...process.env, LINTEL_BASE_URL: system.url };
  const result = await runJest(['contract', 'e2e'], { env });
  const problem = await system.stop();
  if (problem === undefined) return { ...result, passed: result.passed + 1 };
  return { ...result, failed: result.failed + 1, output: `${result.output}\n${problem}` };
}

function summarize() {
  const total = (of) => results.reduce((sum, result) => sum + of(result), 0);
  process.stdout.write('\n');
  for (const { title, passed, failed, seconds } of results)
    process.stdout.write(
      `  ${failed === 0 ? '✓' : '✗'} ${title.padEnd(44)} ${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed ${seconds.toFixed(1).padStart(8)} s\n`,
    );
  process.stdout.write(`\n${total((result) => result.passed)} passed, ${total((result) => result.failed)} failed\n`);
  process.exitCode = total((result) => result.failed) === 0 ? 0 : 1;
}

await main();
