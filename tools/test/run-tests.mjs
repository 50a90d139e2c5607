/**
 * `npm test`: everything there is to test, in stages, with one summary. A stage that fails does not keep the
 * others from running. The last line is `N passed, N failed`.
 *
 * Servers and programs are looked for, installed and built from the first second on. Where the machine has two
 * processors, three stages with one worker run at the same time: see `schedule.mjs`. The report of a stage is printed
 * when it ends.
 *
 * Unit and integration tests of packages that have not changed since they passed do not run again; with `--all` they do.
 *
 * `--long` implies `--all`. It adds the long variants (`*.long.test.ts`), the integration tests of files against MinIO,
 * and 10,000 cases for each property of the unit tests. What is chosen at random begins with the same seed in every run;
 * with `--long`, and without `LINTEL_PROPERTY_SEED`, with another one, which is printed.
 */
import { randomInt } from 'node:crypto';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { openHost } from '@lintel/testkit/host';
import { build } from '../bootstrap/build.mjs';
import { STATE } from '../bootstrap/paths.mjs';
import { runChangedTests, storingPackages } from './changed-tests.mjs';
import { testCluster } from './cluster/test-cluster.mjs';
import { endToEnd, OF_ONE_MODE } from './end-to-end.mjs';
import { fewerThanExpected } from './expected-counts.mjs';
import { testFilesOnMinio } from './files-on-minio.mjs';
import { testImages } from './images/test-images.mjs';
import { runStages } from './schedule.mjs';
import { runJest, runTool } from './stages.mjs';
import { FOR_TESTS, startStandalone } from './system.mjs';

const isLong = process.argv.includes('--long');
const isForced = isLong || process.argv.includes('--all');
/** A worker takes up to 1.5 GiB, and what it starts as much. */
const HAS_MEMORY_FOR_THREE = totalmem() >= 11 * 1024 ** 3;
/** Three on two processors: tests wait for servers, processes and times half of the time. */
const WORKERS = availableParallelism() === 1 ? 1 : HAS_MEMORY_FOR_THREE ? 3 : 2;
/** Of jest in a stage: two on a machine with four processors. */
const STAGE_WORKERS = availableParallelism() < 4 ? 1 : 2;

const SERVERS = ['postgres', 'redis', 'amqp', 's3'];
const PROGRAMS = ['office', 'pdf', 'chromium', 'pgbouncer', 'slapd'];
/** What only the tests of the chart and of the workflows need: it takes minutes to build, and nothing else waits for it. */
const CHART_PROGRAMS = ['helm', 'kustomize', 'actionlint'];
const CHART_TESTS = '(deploy/(helm|kustomize)|tools/release)';

/**
 * Stages with the folders of their tests, the longest first: no worker waits for another one that has all that is left.
 * The first one has all other folders.
 */
const INTEGRATION_PARTS = [
  ['everything else', []],
  ['tools', ['tools']],
  ['data', ['services/data']],
  ['libraries', ['libs']],
  ['files, gateway, reports', ['services/(files|gateway|reports)']],
  ['auth', ['services/auth']],
];

/** Where the servers of the tests come from; their results are stored for them. */
const servers = new Map();

/** Fault tests read it: each fault then lasts longer and is repeated. So do tests that send generated requests. */
const longVariants = () => (isLong ? { LINTEL_TEST_LONG: 'true' } : {});

/** Every stage takes it from the environment. */
function chooseSeed() {
  if (!isLong) return;
  process.env['LINTEL_PROPERTY_SEED'] ??= String(randomInt(1_000_000_000));
  process.stdout.write(`  LINTEL_PROPERTY_SEED=${process.env['LINTEL_PROPERTY_SEED']}\n`);
}

/**
 * The stages, in the order in which they are started where they can be: what takes longest comes before what is short.
 *
 * @returns {readonly import('./schedule.mjs').Stage[]}
 */
function stages() {
  const outside = { ...process.env };
  const lint = { title: 'lint and import rules', work: () => runTool(['tools/test/lint.mjs'], outside) };
  const built = {
    title: 'build',
    work: async () => {
      await build((_, work) => work());
      return { passed: 1, failed: 0, output: '' };
    },
  };
  const types = {
    title: 'types of the tests',
    after: [built],
    work: () => runTool(['node_modules/typescript/bin/tsc', '-p', 'tsconfig.tests.json'], outside),
  };
  const unit = { title: 'unit and property tests', after: [built], work: () => testUnits(outside) };
  const newcomer = {
    title: 'newcomer: the commands of README and guide',
    after: [built],
    work: () => runJest(['newcomer'], { env: outside }),
  };
  let packages;
  const integration = INTEGRATION_PARTS.map(([part, only]) => ({
    title: `integration tests: ${part}`,
    after: [built],
    needs: [...SERVERS, ...PROGRAMS],
    async work(given) {
      const LINTEL_TEST_SERVERS = [...SERVERS, ...PROGRAMS].map((name) => servers.get(name)).join(', ');
      const env = { ...outside, ...given, LINTEL_TEST_SERVERS };
      packages ??= storingPackages('integration', env);
      const elsewhere = only.length > 0 ? [] : INTEGRATION_PARTS.flatMap(([, folders]) => folders);
      return runChangedTests({
        project: 'integration',
        packages: await packages,
        only,
        exclude: [CHART_TESTS, ...elsewhere],
        workers: STAGE_WORKERS,
        isForced,
        env,
      });
    },
  }));
  const oneProcess = {
    title: 'contract and end-to-end, one process',
    after: [built],
    needs: PROGRAMS,
    work: (env) => endToEnd(() => startStandalone(FOR_TESTS), { ...longVariants(), ...outside, ...env }),
  };
  const fiveProcesses = {
    title: 'contract and end-to-end, five processes',
    after: [built],
    needs: [...SERVERS, ...PROGRAMS],
    work: async (env) => {
      const { startServices } = await import('./services-system.mjs');
      return endToEnd(() => startServices(env, FOR_TESTS), { ...outside, ...env }, OF_ONE_MODE);
    },
  };
  const faults = {
    title: 'fault tests',
    after: [built],
    needs: SERVERS,
    // Nothing else runs at the same time: its load is compared with that before a fault.
    workers: WORKERS,
    work: (env) =>
      runJest(['faults'], {
        env: { ...longVariants(), ...outside, ...env },
        parameters: ['--maxWorkers=2'],
      }),
  };
  const chart = {
    title: 'chart and overlays of Kubernetes, workflows',
    needs: CHART_PROGRAMS,
    work: (env) => runJest(['integration'], { env: { ...outside, ...env }, parameters: ['--', `${CHART_TESTS}/`] }),
  };
  const hostile = {
    title: 'hostile requests, one process',
    needs: SERVERS,
    // Times are measured.
    alone: true,
    work: (env) => runJest(['hostile'], { env: { ...outside, ...env }, parameters: ['--maxWorkers=2'] }),
  };
  const onMinio = {
    title: 'integration tests of files, MinIO',
    needs: SERVERS,
    alone: true,
    work: (env) => testFilesOnMinio(env),
  };
  const long = {
    title: 'long tests',
    needs: [...SERVERS, ...PROGRAMS, ...CHART_PROGRAMS],
    alone: true,
    work: (env) => runJest(['long'], { env: { ...outside, ...env } }),
  };
  const images = {
    title: 'images and the compose file, in containers',
    after: [built],
    alone: true,
    work: () => testImages({ env: outside }),
  };
  const cluster = {
    title: 'chart and overlays, with the API server of a Kubernetes',
    alone: true,
    work: () => testCluster({ env: outside }),
  };
  const site = {
    title: 'the site of the documentation, in a browser',
    needs: ['chromium'],
    work: (env) => runJest(['site'], { env: { ...outside, ...env } }),
  };
  return [
    ...[lint, built, ...integration.slice(0, 3), unit, ...integration.slice(3, 5), oneProcess, fiveProcesses],
    ...[...integration.slice(5), newcomer, types, chart, faults, hostile],
    ...(isLong ? [onMinio, long, images, cluster, site] : []),
  ];
}

/** Ten thousand cases take longer than the minute that a test usually has, and no result of them is kept. */
const testUnits = (env) =>
  isLong
    ? runJest(['unit'], { env: { LINTEL_PROPERTY_RUNS: '10000', ...env }, parameters: ['--testTimeout=1200000'] })
    : testChangedUnits(env);

const testChangedUnits = async (env) =>
  runChangedTests({
    project: 'unit',
    packages: await storingPackages('unit', env),
    workers: STAGE_WORKERS,
    isForced,
    env,
  });

function reportBackend({ backend, origin, seconds, missing, error }) {
  if (missing !== undefined)
    process.stdout.write(`    !!! ${backend} IS ABSENT (LINTEL_TEST_ALLOW_MISSING): ${missing}\n`);
  else if (error === undefined) {
    servers.set(backend, `${backend}: ${origin}`);
    process.stdout.write(`    ${backend}: ${origin} (${seconds.toFixed(1)} s)\n`);
  } else process.stdout.write(`    !!! ${error}\n`);
}

function reportStage({ title, passed, failed, seconds, output, note }) {
  const counts = `${passed} passed, ${failed} failed (${seconds.toFixed(1)} s${note === undefined ? '' : `; ${note}`})`;
  process.stdout.write(`  ${failed === 0 ? '✓' : '✗'} ${title}: ${counts}\n`);
  if (failed > 0) process.stdout.write(`${output}\n`);
}

function summarize(results, seconds) {
  const total = (of) => results.reduce((sum, result) => sum + of(result), 0);
  process.stdout.write('\n');
  for (const { title, passed, failed, seconds: took } of results)
    process.stdout.write(
      `  ${failed === 0 ? '✓' : '✗'} ${title.padEnd(44)} ${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed ${took.toFixed(1).padStart(8)} s\n`,
    );
  process.stdout.write(`  ${'all stages'.padEnd(71)} ${seconds.toFixed(1).padStart(8)} s\n`);
  process.stdout.write(`\n${total((result) => result.passed)} passed, ${total((result) => result.failed)} failed\n`);
  const fewer = fewerThanExpected(results);
  process.stdout.write(fewer.map((line) => `${line}\n`).join(''));
  process.exitCode = total((result) => result.failed) === 0 && fewer.length === 0 ? 0 : 1;
}

async function main() {
  const begin = Date.now();
  chooseSeed();
  // Tests start the same programs many times.
  process.env['NODE_COMPILE_CACHE'] ??= join(STATE, 'compile-cache');
  const all = stages();
  const host = openHost([...SERVERS, ...PROGRAMS, ...CHART_PROGRAMS], reportBackend);
  try {
    const results = await runStages(all, {
      workers: WORKERS,
      async provide(backends) {
        const { environment } = await host.ready(backends);
        // For what runs in this process: the test kit, and what starts the systems.
        Object.assign(process.env, environment);
        return environment;
      },
      settled: host.settled,
      onStart: ({ title }) => process.stdout.write(`  … ${title}\n`),
      onEnd: reportStage,
    });
    summarize(results, (Date.now() - begin) / 1000);
  } finally {
    await host.stop();
  }
}

await main();
