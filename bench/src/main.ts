import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatConsole } from './console/format-console.ts';
import { runConsole } from './console/run-console.ts';
import { takeBenchFolder } from './database/bench-folder.ts';
import { prepareDatabase } from './database/prepare-database.ts';
import { startPostgres } from './database/start-postgres.ts';
import { formatCosts, runForwarders } from './forwarders/run-forwarders.ts';
import { startLoadGenerator } from './load/load-generator.ts';
import { sampleIdle } from './measure/sample-idle.ts';
import { formatGrowth, runGrowth } from './modes/run-growth.ts';
import { formatSoak, runSoak } from './modes/run-soak.ts';
import { formatStarts, runStarts } from './modes/run-starts.ts';
import { type BenchOptions, parseOptions, USAGE } from './options.ts';
import { formatPeers, formatSettings } from './peers/format-peers.ts';
import { runPeers } from './peers/run-peers.ts';
import { profileServers } from './profile-servers.ts';
import { checkLimits } from './report/check-limits.ts';
import { formatFigures, formatLimits } from './report/format-results.ts';
import type { RecordedRun } from './report/recorded-run.ts';
import { describeHead, headOf, type RunHead } from './report/run-head.ts';
import { runBench } from './run-bench.ts';
import application from './servers/bench-application.ts';
import { setStage } from './stage.ts';
import { SYSTEMS, type SystemName } from './systems.ts';
import { verifySystems } from './verify-systems.ts';

/** Recorded runs, by commit. */
const RESULTS = fileURLToPath(new URL('../results/', import.meta.url));

const CONSOLE_ROUNDS = 10;

const begin = performance.now();

const progress = (step: string): void => {
  process.stderr.write(`${((performance.now() - begin) / 1000).toFixed(0).padStart(4)} s  ${step}\n`);
};

async function bench(options: BenchOptions): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(takeBenchFolder(process.env['LINTEL_BENCH_FOLDER']), (taken) => taken.release());
  const server = stack.adopt(await startPostgres(folder.path, process.env, progress), (started) => started.stop());
  const database = stack.adopt(await prepareDatabase(server.url, application, progress), (prepared) => prepared.drop());
  const generator = stack.adopt(startLoadGenerator(), (started) => started.stop());
  const { mode, poolSize, operations, rounds, runMs } = options;
  if (options.profile !== undefined) {
    const { systems, profile: profileFolder } = options;
    await profileServers({
      ...{ operations, systems, databaseUrl: database.url, folder: folder.path, profileFolder, generator },
    });
    return;
  }
  progress('Starting the servers');
  const system: SystemName | undefined =
    mode.kind === 'soak' && mode.isStandalone
      ? 'standalone'
      : mode.kind === 'soak' || mode.kind === 'peers'
        ? 'gateway'
        : undefined;
  const stage = stack.adopt(
    await setStage({
      databaseUrl: database.url,
      folder: folder.path,
      systems: system === undefined ? options.systems : [system],
      withReference: system === undefined,
      poolSize,
    }),
    (set) => set.close(),
  );
  for (const [name, { startMs }] of stage.servers) progress(`${name} listens after ${Math.round(startMs)} ms`);
  const head = headOf(stage.postgresVersion);
  const measuring = { stage, generator, options, onProgress: progress };
  if (mode.kind === 'soak') {
    const target = { stage, generator, system: mode.isStandalone ? 'standalone' : 'gateway' } as const;
    const soak = await runSoak(target, mode, progress);
    show(head, formatSoak(soak));
    keep(options, mode.isStandalone ? 'soak-standalone.json' : 'soak.json', { ...head, ...soak });
    return;
  }
  if (mode.kind === 'peers') {
    const peersFolder = join(folder.path, 'peers');
    const results = await runPeers({ ...measuring, operations, databaseUrl: database.url, folder: peersFolder });
    show(head, `${formatPeers(results)}\n\n${formatSettings()}`);
    keep(options, 'peers.json', { ...head, operations: results });
    return;
  }
  progress('Comparing the responses of the systems');
  await verifySystems(stage, operations);
  const results = await runBench(measuring, options);
  const idleMiB = await sampleIdle(new Map([...stage.servers].filter(([name]) => SYSTEMS[name].api === 'lintel')));
  const limits = checkLimits(results, idleMiB);
  show(head, `${formatFigures(results)}\n\n${formatLimits(limits)}`);
  const { referenceMs, connections } = options;
  const run: RecordedRun = {
    ...head,
    options: { rounds, runMs, referenceMs, ...(connections === undefined ? {} : { connections }) },
    startMs: Object.fromEntries([...stage.servers].map(([name, { startMs }]) => [name, startMs])),
    operations: results,
    idleMiB,
    limits,
  };
  keep(options, nameOfRun(run.commit), run);
  const failed = results.flatMap(({ systems }) => systems).filter(({ failures }) => failures > 0);
  if (failed.length > 0) throw new Error('Some requests failed, so the figures above are not good.');
}

/** As a part of docs/performance.md. */
const show = (head: RunHead, text: string): void => console.log(`\n${describeHead(head)}\n\n${text}\n`);

/** `<commit>.json`, and for more runs of it `<commit>-2.json` and so on. */
function nameOfRun(commit: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? `${commit}.json` : `${commit}-${count}.json`;
    if (!existsSync(join(RESULTS, name))) return name;
  }
}

/** Writes a result to the file that `--output` names, or to the folder of recorded results if it is to be recorded. */
function keep({ record, output }: BenchOptions, name: string, result: unknown): void {
  if (output === undefined && !record) return;
  const file = output === undefined ? join(RESULTS, name) : resolve(output);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, rounded)}\n`);
  progress(`The figures are in ${relative(process.cwd(), file)}`);
}

/** Three digits after the point are more than the measurement knows. */
const rounded = (_name: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value;

/** Needs no database; nothing is recorded. */
async function measureForwarders({ operations, rounds, runMs }: BenchOptions): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(takeBenchFolder(process.env['LINTEL_BENCH_FOLDER']), (taken) => taken.release());
  const generator = stack.adopt(startLoadGenerator(), (started) => started.stop());
  const target = { operations, rounds, runMs, folder: folder.path, generator, onProgress: progress };
  console.log(formatCosts(await runForwarders(target)));
}

async function run(options: BenchOptions): Promise<void> {
  const { mode } = options;
  switch (mode.kind) {
    case 'starts': {
      // Services as they are started by `npm run services`.
      const head = headOf('of the test kit');
      const services = await runStarts(progress);
      show(head, formatStarts(services));
      return keep(options, 'starts.json', { ...head, services });
    }
    case 'console': {
      const head = headOf('of the running system');
      const figures = await runConsole(mode.url, CONSOLE_ROUNDS, progress);
      show(head, `${CONSOLE_ROUNDS} rounds.\n\n${formatConsole(figures)}`);
      return keep(options, 'console.json', { ...head, rounds: CONSOLE_ROUNDS, figures });
    }
    case 'growth': {
      const growth = await runGrowth(mode.scales, options.runMs / 1_000, progress);
      show(growth, formatGrowth(growth));
      return keep(options, 'growth.json', growth);
    }
    case 'forwarders':
      return measureForwarders(options);
    case 'soak':
    case 'peers':
    case 'operations':
      return bench(options);
    default:
      return mode satisfies never;
  }
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') console.log(USAGE);
  else await run(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
