import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatConsole } from './console/format-console.ts';
import { runConsole } from './console/run-console.ts';
import { takeBenchFolder } from './database/bench-folder.ts';
import { prepareDatabase } from './database/prepare-database.ts';
import { startPostgres } from './database/start-postgres.ts';
import { formatCosts } from './forwarders/format-costs.ts';
import { runForwarders } from './forwarders/run-forwarders.ts';
import { startLoadGenerator } from './load/load-generator.ts';
import { sampleIdle } from './measure/sample-idle.ts';
import { runGrowth } from './modes/run-growth.ts';
import { runSoak } from './modes/run-soak.ts';
import { runStarts } from './modes/run-starts.ts';
import { gatewayTarget, standaloneTarget } from './modes/soak-targets.ts';
import { type BenchOptions, parseOptions, USAGE } from './options.ts';
import { formatPeers, formatSettings } from './peers/format-peers.ts';
import { runPeers } from './peers/run-peers.ts';
import { profileServers } from './profile-servers.ts';
import { checkLimits, formatLimits } from './report/check-limits.ts';
import { compareRuns, formatChanges } from './report/compare-runs.ts';
import { describeMachine, describeTree } from './report/describe-machine.ts';
import { formatTable } from './report/format-table.ts';
import { keepResults } from './report/keep-results.ts';
import type { RecordedRun } from './report/recorded-run.ts';
import {
  CONSOLE_RUN,
  formatGrowth,
  formatSoak,
  formatStarts,
  GROWTH,
  PEERS_RUN,
  SOAK,
  STANDALONE_SOAK,
  STARTS,
  writePage,
} from './report/write-page.ts';
import { runBench } from './run-bench.ts';
import application from './servers/bench-application.ts';
import { startStandalone } from './servers/start-standalone.ts';
import { setStage } from './stage.ts';
import { verifySystems } from './verify-systems.ts';

/** Recorded runs, by commit. */
const RESULTS = fileURLToPath(new URL('../results/', import.meta.url));
/** Shows them. */
const PAGE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));

const CONSOLE_ROUNDS = 10;

const begin = performance.now();

const progress = (step: string): void => {
  process.stderr.write(`${((performance.now() - begin) / 1000).toFixed(0).padStart(4)} s  ${step}\n`);
};

async function bench(options: BenchOptions): Promise<void> {
  // Read first: a name that is wrong is known before minutes of measuring.
  const baseline = options.baseline === undefined ? undefined : readRun(options.baseline);
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(takeBenchFolder(process.env['LINTEL_BENCH_FOLDER']), (taken) => taken.release());
  const server = stack.adopt(await startPostgres(folder.path, process.env, progress), (started) => started.stop());
  const database = stack.adopt(await prepareDatabase(server.url, application, progress), (prepared) => prepared.drop());
  const generator = stack.adopt(startLoadGenerator(), (started) => started.stop());
  if (options.profile !== undefined) {
    const { operations, systems, profile: profileFolder } = options;
    const target = { operations, systems, databaseUrl: database.url, folder: folder.path, profileFolder, generator };
    console.log(await profileServers(target));
    return;
  }
  progress('Starting the servers');
  const { mode, poolSize } = options;
  const isThroughGateway = mode.kind === 'soak' || mode.kind === 'peers';
  const isStandalone = mode.kind === 'soak' && mode.isStandalone;
  const stage = stack.adopt(
    await setStage({
      databaseUrl: database.url,
      folder: folder.path,
      systems: isStandalone ? [] : isThroughGateway ? ['gateway'] : options.systems,
      withReference: !isThroughGateway,
      poolSize,
    }),
    (set) => set.close(),
  );
  for (const [name, { startMs }] of stage.servers) progress(`${name} listens after ${Math.round(startMs)} ms`);
  const head = {
    ...describeTree(import.meta.dirname),
    measuredAt: new Date().toISOString(),
    machine: describeMachine(stage.postgresVersion),
  };
  if (mode.kind === 'soak') {
    const target = isStandalone
      ? standaloneTarget(
          stack.adopt(await startStandalone(database.url, folder.path), (started) => started.stop()),
          generator,
        )
      : gatewayTarget(stage, generator);
    const soak = { ...head, ...(await runSoak(target, mode, progress)) };
    console.log(`\n${formatSoak(soak)}\n`);
    keep(options, mode.isStandalone ? STANDALONE_SOAK : SOAK, soak);
    return;
  }
  if (mode.kind === 'peers') {
    const { operations, rounds, runMs } = options;
    const peersFolder = join(folder.path, 'peers');
    const target = { operations, rounds, runMs, databaseUrl: database.url, folder: peersFolder, generator, stage };
    const figures = await runPeers({ ...target, onProgress: progress });
    console.log(`\n${formatPeers(figures)}\n\n${formatSettings()}\n`);
    keep(options, PEERS_RUN, { ...head, figures });
    return;
  }
  progress('Comparing the responses of the systems');
  await verifySystems(stage, options.operations);
  const results = await runBench(stage, generator, options, folder.path, progress);
  const ours = [...stage.servers].filter(([name]) => name === 'data' || name === 'gateway' || name === 'standalone');
  const idleMiB = await sampleIdle(new Map(ours));
  const limits = checkLimits(results, idleMiB);
  console.log(`\n${formatTable(results)}\n\n${formatLimits(limits)}\n`);
  const { rounds, runMs, referenceMs, connections } = options;
  const run: RecordedRun = {
    ...head,
    options: { rounds, runMs, referenceMs, ...(connections === undefined ? {} : { connections }) },
    startMs: Object.fromEntries([...stage.servers].map(([name, { startMs }]) => [name, startMs])),
    operations: results,
    idleMiB,
    limits,
  };
  keep(options, nameOfRun(run.commit), run);
  if (baseline !== undefined) reportChanges(baseline, { operations: results });
  const failed = results.flatMap(({ systems }) => systems).filter(({ failures }) => failures > 0);
  if (failed.length > 0) throw new Error('Some requests failed, so the figures above are not good.');
}

/** `<commit>.json`, and for more runs of it `<commit>-2.json` and so on. */
function nameOfRun(commit: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? `${commit}.json` : `${commit}-${count}.json`;
    if (!existsSync(join(RESULTS, name))) return name;
  }
}

/** Records a result where the options say; the page is written anew from the folder of recorded runs. */
function keep(options: BenchOptions, name: string, result: unknown): void {
  const file = keepResults(options, RESULTS, name, result);
  if (file === undefined || options.output !== undefined) return;
  progress(`The figures are in ${relative(process.cwd(), file)}`);
  writePage(RESULTS, PAGE);
}

/** Services as they are started by `npm run services`. */
async function measureStarts(options: BenchOptions): Promise<void> {
  const services = await runStarts(progress);
  const head = { ...describeTree(import.meta.dirname), measuredAt: new Date().toISOString() };
  const starts = { ...head, machine: describeMachine('of the test kit'), services };
  console.log(`\n${formatStarts(starts)}\n`);
  keep(options, STARTS, starts);
}

async function measureGrowth(options: BenchOptions, scales: readonly number[]): Promise<void> {
  const growth = await runGrowth(scales, options.runMs / 1_000, progress);
  console.log(`\n${formatGrowth(growth)}\n`);
  keep(options, GROWTH, growth);
}

/** In a system that runs already. */
async function measureConsole(options: BenchOptions, url: string): Promise<void> {
  const machine = describeMachine('of the running system');
  const head = { ...describeTree(import.meta.dirname), measuredAt: new Date().toISOString(), machine };
  const figures = await runConsole(url, CONSOLE_ROUNDS, progress);
  console.log(`\n${formatConsole(figures)}\n`);
  keep(options, CONSOLE_RUN, { ...head, rounds: CONSOLE_ROUNDS, figures });
}

/** Needs no database; nothing is recorded. */
async function measureForwarders({ operations, rounds, runMs }: BenchOptions): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(takeBenchFolder(process.env['LINTEL_BENCH_FOLDER']), (taken) => taken.release());
  const generator = stack.adopt(startLoadGenerator(), (started) => started.stop());
  const target = { operations, rounds, runMs, folder: folder.path, generator, onProgress: progress };
  console.log(formatCosts(await runForwarders(target)));
}

function run(options: BenchOptions): Promise<void> | void {
  const { mode } = options;
  switch (mode.kind) {
    case 'report':
      return writePage(RESULTS, PAGE);
    case 'starts':
      return measureStarts(options);
    case 'forwarders':
      return measureForwarders(options);
    case 'console':
      return measureConsole(options, mode.url);
    case 'growth':
      return measureGrowth(options, mode.scales);
    case 'soak':
    case 'peers':
    case 'operations':
      return bench(options);
    default:
      return mode satisfies never;
  }
}

const readRun = (file: string): RecordedRun => JSON.parse(readFileSync(file, 'utf8')) as RecordedRun;

/** @throws Error where something became worse */
function reportChanges(before: RecordedRun, after: Pick<RecordedRun, 'operations'>): void {
  const changes = compareRuns(before, after);
  console.log(`${formatChanges(changes)}\n`);
  const worse = changes.filter(({ verdict }) => verdict === 'worse');
  if (worse.length > 0)
    throw new Error(
      `Worse than ${before.commit}: ${worse.map(({ operation, system }) => `${operation} ${system}`).join(', ')}`,
    );
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') console.log(USAGE);
  else if (options.compare !== undefined) {
    const [before, after] = options.compare.map(readRun);
    if (before !== undefined && after !== undefined) reportChanges(before, after);
  } else await run(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
