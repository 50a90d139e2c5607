import type { LoadGenerator } from './load/load-generator.ts';
import { hasSettled, type WarmUpCost } from './measure/has-settled.ts';
import { cpuMicrosOf, familyOf, memoryOf } from './measure/processes.ts';
import type { LoadReport, RunRecord, SystemResult } from './measure/run-record.ts';
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

/**
 * Before anything is measured code is compiled, statements are prepared and pages are in memory. Node compiles what
 * has run some thousand times, code of many functions last: the warm-up ends when the cost of a request stands still.
 */
const WARM_UP_MS = 2_000;
const MAX_WARM_UPS = 15;

interface Bench {
  readonly stage: Stage;
  readonly generator: LoadGenerator;
  readonly options: BenchOptions;
}

/** Runs every operation against every system, each run right after one of the reference. */
export async function runBench(
  stage: Stage,
  generator: LoadGenerator,
  options: BenchOptions,
  onProgress: (step: string) => void,
): Promise<readonly OperationResult[]> {
  const bench: Bench = { stage, generator, options };
  const results: OperationResult[] = [];
  for (const operation of OPERATIONS.filter(({ name }) => options.operations.includes(name))) {
    results.push(await runOperation(bench, operation, onProgress));
  }
  return results;
}

async function runOperation(
  bench: Bench,
  operation: Operation,
  onProgress: (step: string) => void,
): Promise<OperationResult> {
  const { options } = bench;
  const systems = systemsFor(bench, operation);
  const everyone: readonly ServerName[] = [REFERENCE, ...systems];
  for (const name of everyone) await warmUp(bench, operation, name);
  const runs = new Map<ServerName, RunRecord[]>(everyone.map((name) => [name, []]));
  for (let round = 0; round < options.rounds; round += 1) {
    for (const name of systems) {
      const reference = await measure(bench, operation, REFERENCE, options.referenceMs, undefined);
      runs.get(REFERENCE)?.push(reference);
      const run = await measure(bench, operation, name, options.runMs, reference.perSecond);
      runs.get(name)?.push(run);
      const ratio = (run.perSecond / reference.perSecond).toFixed(2);
      onProgress(
        `${operation.name} ${round + 1}/${options.rounds}: ${name} ${Math.round(run.perSecond)}/s, ${ratio} of (c)`,
      );
    }
  }
  const summaries = [...runs].map(([name, records]) => summarizeRuns(name, records));
  return { operation: operation.name, about: operation.about, systems: summaries };
}

/** `npm start` does not have the entities of the benchmarks. */
const systemsFor = ({ options }: Bench, { isOfBench, isWrite }: Operation): readonly SystemName[] =>
  options.systems.filter(
    (name) => !(isOfBench && name === 'standalone') && (isWrite || SYSTEMS[name].onlyWrites !== true),
  );

async function warmUp(bench: Bench, operation: Operation, name: ServerName): Promise<void> {
  // One client of large responses never sends thousands of requests.
  const isBrief = operation.connections === 1;
  const costs: WarmUpCost[] = [];
  do {
    const before = ownMicros(bench.stage, name);
    const { requests } = await load(bench, operation, name, WARM_UP_MS);
    costs.push({ requests, micros: ownMicros(bench.stage, name) - before });
  } while (!isBrief && costs.length < MAX_WARM_UPS && !hasSettled(costs));
}

/** Processor time so far of the servers that a request of the system passes. */
const ownMicros = ({ servers }: Stage, name: ServerName): number =>
  chainOf(name)
    .flatMap((part) => familyOf(servers.get(part)?.pid ?? 0))
    .reduce((sum, pid) => sum + (cpuMicrosOf(pid) ?? 0), 0);

async function load(bench: Bench, operation: Operation, name: ServerName, durationMs: number): Promise<LoadReport> {
  const { stage, generator, options } = bench;
  const connections = options.connections ?? operation.connections;
  const url = stage.servers.get(name)?.url;
  if (url === undefined) throw new Error(`${name} does not run`);
  const token = stage.tokenFor(name);
  return generator.run({ url, token, operation: operation.name, connections, api: SYSTEMS[name].api, durationMs });
}

/** One run with what it cost each process. */
async function measure(
  bench: Bench,
  operation: Operation,
  name: ServerName,
  durationMs: number,
  referencePerSecond: number | undefined,
): Promise<RunRecord> {
  const { stage } = bench;
  const servers = chainOf(name).flatMap((part) => {
    const server = stage.servers.get(part);
    return server === undefined ? [] : [[part, server] as const];
  });
  const byPart = <T>(of: (server: StartedServer) => T): Readonly<Record<string, T>> =>
    Object.fromEntries(servers.map(([part, server]) => [part, of(server)]));
  const costs = (): Readonly<Record<string, number>> => ({
    ...byPart(({ pid }) => familyOf(pid).reduce((sum, each) => sum + (cpuMicrosOf(each) ?? 0), 0)),
    postgres: stage.databaseCpuMicros(),
  });
  const rss = (): Readonly<Record<string, number>> => byPart(({ pid }) => memoryOf(pid)?.rssMiB ?? 0);
  for (const [, server] of servers) await server.startWatch();
  const [before, rssBefore] = [costs(), rss()];
  const report = await load(bench, operation, name, durationMs);
  const [after, rssMiB] = [costs(), rss()];
  const lags: [string, number][] = [];
  for (const [part, server] of servers) lags.push([part, (await server.endWatch()).loopLagP99Ms]);
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
