import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import sales from '@lintel/example-sales';
import { takeBenchFolder } from './database/bench-folder.ts';
import { prepareDatabase } from './database/prepare-database.ts';
import { startPostgres } from './database/start-postgres.ts';
import { startLoadGenerator } from './load/load-generator.ts';
import { type BenchOptions, parseOptions, USAGE } from './options.ts';
import { profileServers } from './profile-servers.ts';
import { checkLimits, formatLimits } from './report/check-limits.ts';
import { compareRuns, formatChanges } from './report/compare-runs.ts';
import { describeMachine, describeTree } from './report/describe-machine.ts';
import { formatTable } from './report/format-table.ts';
import { recordResults } from './report/record-results.ts';
import type { RecordedRun } from './report/recorded-run.ts';
import { runBench } from './run-bench.ts';
import { setStage } from './stage.ts';
import { verifySystems } from './verify-systems.ts';

/** Recorded runs, by commit. */
const RESULTS = fileURLToPath(new URL('../results/', import.meta.url));

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
  const database = stack.adopt(await prepareDatabase(server.url, sales, progress), (prepared) => prepared.drop());
  const generator = stack.adopt(startLoadGenerator(), (started) => started.stop());
  if (options.profile !== undefined) {
    const { operations, systems, profile: profileFolder } = options;
    const target = { operations, systems, databaseUrl: database.url, folder: folder.path, profileFolder, generator };
    console.log(await profileServers(target));
    return;
  }
  progress('Starting the servers');
  const stage = stack.adopt(
    await setStage({
      databaseUrl: database.url,
      folder: folder.path,
      systems: options.systems,
      withReference: true,
    }),
    (set) => set.close(),
  );
  for (const [name, { startMs }] of stage.servers) progress(`${name} listens after ${Math.round(startMs)} ms`);
  const machine = describeMachine(stage.postgresVersion);
  progress('Comparing the answers of the systems');
  await verifySystems(stage, options.operations);
  const results = await runBench(stage, generator, options, folder.path, progress);
  const limits = checkLimits(results);
  console.log(`\n${formatTable(results)}\n\n${formatLimits(limits)}\n`);
  if (options.record) {
    const { rounds, runMs, referenceMs, connections } = options;
    const file = recordResults(RESULTS, {
      ...describeTree(import.meta.dirname),
      measuredAt: new Date().toISOString(),
      machine,
      options: { rounds, runMs, referenceMs, ...(connections === undefined ? {} : { connections }) },
      startMs: Object.fromEntries([...stage.servers].map(([name, { startMs }]) => [name, startMs])),
      operations: results,
      limits,
    });
    progress(`The figures are in ${relative(process.cwd(), file)}`);
  }
  if (baseline !== undefined) reportChanges(baseline, { operations: results });
  const failed = results.flatMap(({ systems }) => systems).filter(({ failures }) => failures > 0);
  if (failed.length > 0) throw new Error('Some requests failed, so the figures above are not good.');
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
  } else await bench(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
