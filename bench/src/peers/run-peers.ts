import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '@lintel/testkit';
import type { LoadGenerator } from '../load/load-generator.ts';
import { hasSettled, type WarmUpCost } from '../measure/has-settled.ts';
import { cpuMicrosOf, familyOf, memoryOf } from '../measure/processes.ts';
import type { LoadReport } from '../measure/run-record.ts';
import { medianOf } from '../measure/statistics.ts';
import { OPERATIONS } from '../operations/index.ts';
import { POOL_SIZE } from '../servers/server-settings.ts';
import type { Stage } from '../stage.ts';
import { chainOf } from '../systems.ts';
import type { Peer } from './peer.ts';
import { PEER_CALLS, type PeerName } from './peer-calls.ts';
import { missingPrograms, PEERS } from './peers.ts';
import { type StartedPeer, startPeer } from './start-peer.ts';
import { verifyPeer } from './verify-peer.ts';

/** Medians of the runs of one system and operation. */
export interface PeerFigures {
  readonly operation: string;
  /** `gateway` is ours: gateway and data service. */
  readonly system: PeerName | 'gateway';
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time per request of its processes, and of PostgreSQL. */
  readonly ownMicros: number;
  readonly databaseMicros: number;
  readonly rssMiB: number;
  readonly failures: number;
}

export interface PeersOptions {
  readonly operations: readonly string[];
  readonly rounds: number;
  /** Length of a measured run. */
  readonly runMs: number;
  readonly databaseUrl: string;
  /** Where the peers are installed, each in a folder of its own. */
  readonly folder: string;
  readonly generator: LoadGenerator;
  /** With the gateway and the data service. */
  readonly stage: Stage;
  readonly onProgress: (step: string) => void;
}

/** Our own rows are measured beside each peer; reads of many rows with a body of megabytes have no counterpart. */
const COMPARED: ReadonlySet<string> = new Set(['R1', 'R2', 'R3', 'R4', 'A1', 'A2', 'W1', 'W2', 'W3']);
const WARM_UP_MS = 2_000;
const MAX_WARM_UPS = 10;

interface Contestant {
  readonly name: PeerName | 'gateway';
  readonly peer: Peer | undefined;
  readonly url: string;
  readonly token: string;
  readonly pids: readonly number[];
}

/** Installs and starts the peers that can be had, and measures them and our gateway in turn, operation by operation. */
export async function runPeers(options: PeersOptions): Promise<readonly PeerFigures[]> {
  const { stage, operations, onProgress } = options;
  await using stack = new AsyncDisposableStack();
  const started = new Map<PeerName, StartedPeer>();
  const contestants = [ours(stage)];
  for (const peer of PEERS.filter(({ name }) => operations.some((one) => PEER_CALLS[name][one] !== undefined))) {
    const missing = missingPrograms(peer);
    if (missing.length > 0) {
      onProgress(`${peer.about} is left out: install ${missing.join(' and ')} to have it`);
      continue;
    }
    const server = stack.adopt(await begin(peer, options), (one) => one.stop());
    started.set(peer.name, server);
    contestants.push({ name: peer.name, peer, url: server.url, token: server.token, pids: [server.pid] });
  }
  const figures: PeerFigures[] = [];
  // In the order of the list: reads first, so that they see the data set before it is changed.
  for (const { name } of OPERATIONS.filter((one) => operations.includes(one.name) && COMPARED.has(one.name))) {
    const able = contestants.filter(({ peer }) => peer === undefined || PEER_CALLS[peer.name][name] !== undefined);
    for (const { peer } of able) {
      const server = peer && started.get(peer.name);
      if (peer !== undefined && server !== undefined) await verifyPeer(peer, server, name);
    }
    figures.push(...(await compare(able, name, options)));
  }
  return figures;
}

const ours = (stage: Stage): Contestant => ({
  name: 'gateway',
  peer: undefined,
  url: stage.servers.get('gateway')?.url ?? '',
  token: stage.tokenFor('gateway'),
  pids: chainOf('gateway').flatMap((part) => stage.servers.get(part)?.pid ?? []),
});

async function begin(peer: Peer, { databaseUrl, folder, onProgress }: PeersOptions): Promise<StartedPeer> {
  const target = {
    folder: join(folder, peer.name),
    databaseUrl,
    port: await freePort(),
    poolSize: POOL_SIZE,
    secret: randomBytes(24).toString('hex'),
  };
  onProgress(`Installing ${peer.about}`);
  await peer.install(target.folder);
  onProgress(`Starting ${peer.about}`);
  await peer.prepare(target);
  return startPeer(peer, target);
}

interface Run extends LoadReport {
  readonly ownMicros: number;
  readonly databaseMicros: number;
  readonly rssMiB: number;
}

async function compare(
  contestants: readonly Contestant[],
  operation: string,
  { generator, stage, rounds, runMs, onProgress }: PeersOptions,
): Promise<readonly PeerFigures[]> {
  const load = ({ url, token, name }: Contestant, durationMs: number): Promise<LoadReport> =>
    generator.run({ url, token, operation, api: name === 'gateway' ? 'lintel' : name, durationMs });
  const measure = async (contestant: Contestant, durationMs: number): Promise<Run> => {
    const before = { own: ownMicros(contestant), database: stage.databaseCpuMicros() };
    const report = await load(contestant, durationMs);
    const requests = Math.max(1, report.requests);
    return {
      ...report,
      ownMicros: (ownMicros(contestant) - before.own) / requests,
      databaseMicros: (stage.databaseCpuMicros() - before.database) / requests,
      rssMiB: processesOf(contestant).reduce((sum, pid) => sum + (memoryOf(pid)?.rssMiB ?? 0), 0),
    };
  };
  for (const contestant of contestants) {
    const costs: WarmUpCost[] = [];
    do {
      const { requests, ownMicros: micros } = await measure(contestant, WARM_UP_MS);
      costs.push({ requests, micros: micros * requests });
    } while (costs.length < MAX_WARM_UPS && !hasSettled(costs));
  }
  const runs = new Map<Contestant, Run[]>(contestants.map((contestant) => [contestant, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [contestant, own] of runs) {
      const run = await measure(contestant, runMs);
      own.push(run);
      onProgress(`${operation} ${round + 1}/${rounds}: ${contestant.name} ${Math.round(run.perSecond)}/s`);
    }
  return [...runs].map(([{ name }, own]) => summarize(operation, name, own));
}

function summarize(operation: string, system: PeerFigures['system'], runs: readonly Run[]): PeerFigures {
  const median = (of: (run: Run) => number): number => medianOf(runs.map(of));
  return {
    operation,
    system,
    perSecond: median(({ perSecond }) => perSecond),
    p50Ms: median(({ p50Ms }) => p50Ms),
    p99Ms: median(({ p99Ms }) => p99Ms),
    ownMicros: median((run) => run.ownMicros),
    databaseMicros: median(({ databaseMicros }) => databaseMicros),
    rssMiB: median(({ rssMiB }) => rssMiB),
    failures: runs.flatMap(({ failures }) => Object.values(failures)).reduce((sum, count) => sum + count, 0),
  };
}

const processesOf = ({ pids }: Contestant): readonly number[] => pids.flatMap(familyOf);

/** Processor time so far of its processes. */
const ownMicros = (contestant: Contestant): number =>
  processesOf(contestant).reduce((sum, pid) => sum + (cpuMicrosOf(pid) ?? 0), 0);
