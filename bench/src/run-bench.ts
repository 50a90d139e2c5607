import type { LoadGenerator } from './load/load-generator.ts';
import type { LoadJob } from './load/load-process.ts';
import { hasSettled, type WarmUpCost } from './measure/has-settled.ts';
import { cpuMicrosOfFamily } from './measure/processes.ts';
import type { LoadReport, RunRecord, SystemResult } from './measure/run-record.ts';
import { rssOf } from './measure/sample-idle.ts';
import { summarizeRuns } from './measure/summarize-runs.ts';
import { OPERATIONS, type Operation } from './operations/index.ts';
import type { BenchOptions } from './options.ts';
import type { StartedServer } from './servers/start-server.ts';
import type { Stage } from './stage.ts';
import { chainOf, REFERENCE, type ServerName, SYSTEMS, type SystemName } from './systems.ts';

/** The systems of one operation, the reference first. */
export interface OperationResult {
  readonly operation: string;
  readonly about: string;
  readonly systems: readonly SystemResult[];
}

/** A system that is measured. */
export interface Contestant {
  readonly name: string;
  readonly api: LoadJob['api'];
  readonly url: string;
  readonly token: string;
  /** The processes that a request passes, by name; other products do not watch themselves. */
  readonly servers: ReadonlyMap<
    string,
    Pick<StartedServer, 'pid'> & Partial<Pick<StartedServer, 'startWatch' | 'endWatch'>>
  >;
}

export interface Bench {
  readonly stage: Stage;
  readonly generator: LoadGenerator;
  readonly options: Pick<BenchOptions, 'rounds' | 'runMs' | 'referenceMs' | 'connections'>;
  readonly onProgress: (step: string) => void;
}

/**
 * Before anything is measured code is compiled, statements are prepared and pages are in memory. Node compiles what
 * has run some thousand times, code of many functions last: the warm-up ends when the cost of a request stands still.
 */
const WARM_UP_MS = 2_000;
const MAX_WARM_UPS = 15;

/** Runs every operation against every system, each run right after one of the reference. */
export async function runBench(
  bench: Bench,
  { operations, systems }: Pick<BenchOptions, 'operations' | 'systems'>,
): Promise<readonly OperationResult[]> {
  const results: OperationResult[] = [];
  for (const operation of OPERATIONS.filter(({ name }) => operations.includes(name))) {
    const names = [REFERENCE, ...systems.filter((name) => hasOperation(name, operation))] as const;
    const contestants = names.map((name) => contestantOf(bench.stage, name));
    results.push(await runOperation(bench, operation, contestants));
  }
  return results;
}

/** `npm start` does not have the entities of the benchmarks. */
const hasOperation = (name: SystemName, { isOfBench, isWrite }: Operation): boolean =>
  !(isOfBench && name === 'standalone') && (isWrite || SYSTEMS[name].onlyWrites !== true);

/** @throws Error if the system does not run */
export function contestantOf(stage: Stage, name: ServerName) {
  const url = stage.servers.get(name)?.url;
  if (url === undefined) throw new Error(`${name} does not run`);
  const servers = new Map(
    chainOf(name).flatMap((part) => {
      const server = stage.servers.get(part);
      return server === undefined ? [] : [[part, server]];
    }),
  );
  return { name, api: SYSTEMS[name].api, url, token: stage.tokenFor(name), servers };
}

/** Runs an operation against each contestant, each run right after one of the first one, the reference. */
export async function runOperation(
  bench: Bench,
  operation: Operation,
  contestants: readonly Contestant[],
): Promise<OperationResult> {
  const { rounds, runMs, referenceMs } = bench.options;
  const [reference, ...others] = contestants;
  if (reference === undefined) throw new Error('There is no reference');
  for (const contestant of contestants) await warmUp(bench, operation, contestant);
  const runs = new Map<Contestant, RunRecord[]>(contestants.map((contestant) => [contestant, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const contestant of others) {
      const before = await measure(bench, operation, reference, referenceMs, undefined);
      runs.get(reference)?.push(before);
      const run = await measure(bench, operation, contestant, runMs, before.perSecond);
      runs.get(contestant)?.push(run);
      const ratio = (run.perSecond / before.perSecond).toFixed(2);
      bench.onProgress(
        `${operation.name} ${round + 1}/${rounds}: ${contestant.name} ${Math.round(run.perSecond)}/s, ${ratio} of ${reference.name}`,
      );
    }
  const systems = [...runs].map(([{ name }, records]) => summarizeRuns(name, records));
  return { operation: operation.name, about: operation.about, systems };
}

async function warmUp(bench: Bench, operation: Operation, contestant: Contestant): Promise<void> {
  const micros = (): number =>
    [...contestant.servers.values()].reduce((sum, { pid }) => sum + cpuMicrosOfFamily(pid), 0);
  const costs: WarmUpCost[] = [];
  do {
    const before = micros();
    const { requests } = await load(bench, operation, contestant, WARM_UP_MS);
    costs.push({ requests, micros: micros() - before });
    // One client of large responses never sends thousands of requests.
  } while (operation.connections > 1 && costs.length < MAX_WARM_UPS && !hasSettled(costs));
}

const load = (
  { generator, options }: Bench,
  operation: Operation,
  { url, token, api }: Contestant,
  durationMs: number,
): Promise<LoadReport> => {
  const connections = options.connections ?? operation.connections;
  return generator.run({ url, token, operation: operation.name, connections, api, durationMs });
};

/** One run with what it cost each process. */
async function measure(
  bench: Bench,
  operation: Operation,
  contestant: Contestant,
  durationMs: number,
  referencePerSecond: number | undefined,
): Promise<RunRecord> {
  const servers = [...contestant.servers];
  const costs = (): Readonly<Record<string, number>> => ({
    ...Object.fromEntries(servers.map(([part, { pid }]) => [part, cpuMicrosOfFamily(pid)])),
    postgres: bench.stage.databaseCpuMicros(),
  });
  for (const [, server] of servers) await server.startWatch?.();
  const [before, rssBefore] = [costs(), rssOf(servers)];
  const report = await load(bench, operation, contestant, durationMs);
  const [after, rssMiB] = [costs(), rssOf(servers)];
  const lags: [string, number][] = [];
  for (const [part, server] of servers) {
    const watched = await server.endWatch?.();
    if (watched !== undefined) lags.push([part, watched.loopLagP99Ms]);
  }
  const requests = Math.max(1, report.requests);
  const grown = (values: Readonly<Record<string, number>>, from: Readonly<Record<string, number>>) =>
    Object.entries(values).map(([part, value]) => [part, value - (from[part] ?? 0)] as const);
  const perRequest = grown(after, before).map(([part, micros]) => [part, micros / requests] as const);
  return {
    ...report,
    referencePerSecond: referencePerSecond ?? report.perSecond,
    cpuMicrosPerRequest: Object.fromEntries([...perRequest, ['generator', report.cpuMicros / requests]]),
    rssMiB,
    rssGrowthMiB: Object.fromEntries(grown(rssMiB, rssBefore)),
    loopLagP99Ms: Object.fromEntries(lags),
  };
}
