import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '@lintel/testkit/backends';
import type { LoadGenerator } from '../load/load-generator.ts';
import { cpuMicrosOfFamily } from '../measure/processes.ts';
import { medianOf } from '../measure/statistics.ts';
import { markdownTable } from '../report/markdown-table.ts';
import { compileServers } from '../servers/compile-servers.ts';
import type { ServerSettings } from '../servers/server-settings.ts';
import { startTokenIssuer, startTraceSink } from '../servers/stand-ins.ts';
import { type StartedServer, startServer } from '../servers/start-server.ts';

export interface ForwardersOptions {
  /** Of R1 (a small response), R2 (a large one), W1 (a small body). */
  readonly operations: readonly string[];
  readonly rounds: number;
  /** Of one measured run. */
  readonly runMs: number;
  /** For the logs of the servers. */
  readonly folder: string;
  readonly generator: LoadGenerator;
  readonly onProgress: (step: string) => void;
}

interface Forwarder {
  readonly name: string;
  readonly about: string;
  /** File of `servers/`, without its ending. */
  readonly program: string;
}

/** The gateway and what its cost is compared with. */
const FORWARDERS: readonly Forwarder[] = [
  { name: 'gateway', about: 'the gateway', program: 'gateway' },
  { name: 'forwarder', about: 'the least forwarder (node:http and undici)', program: 'forwarder' },
  {
    name: 'express-proxy',
    about: 'Express and http-proxy-middleware, nothing else',
    program: '../forwarders/express-proxy',
  },
  { name: 'nginx', about: 'nginx', program: '../forwarders/nginx' },
];

/** What one forwarder costs. */
interface ForwarderCost {
  readonly operation: string;
  readonly forwarder: Forwarder;
  /** Processor time per request of each run. */
  readonly micros: readonly number[];
}

const OPERATIONS: ReadonlySet<string> = new Set(['R1', 'R2', 'W1']);
const CONNECTIONS = 16;
/** Node compiles code that is spread over many functions late. */
const WARM_UP_REQUESTS = 30_000;
const WARM_UP_MS = 2_000;
const MAX_WARM_UPS = 15;

/**
 * Measures the processor time per request of the gateway and of other forwarders in front of one static upstream,
 * alternately. Processor time, unlike throughput, can be measured on a busy machine.
 */
export async function runForwarders(options: ForwardersOptions): Promise<readonly ForwarderCost[]> {
  const { rounds, runMs, generator, onProgress } = options;
  await using stack = new AsyncDisposableStack();
  const { servers, token } = await startAll(options, stack);
  const load = async (url: string, operation: string, durationMs: number): Promise<number> => {
    const job = { url, token, operation, api: 'lintel', connections: CONNECTIONS, durationMs } as const;
    const { requests, failures } = await generator.run(job);
    if (Object.keys(failures).length > 0) throw new Error(`${operation} failed: ${JSON.stringify(failures)}`);
    return requests;
  };
  const costs: { operation: string; forwarder: Forwarder; micros: number[] }[] = [];
  for (const operation of options.operations.filter((name) => OPERATIONS.has(name))) {
    const measured = [...servers].map(([forwarder, server]) => ({
      operation,
      forwarder,
      server,
      micros: [] as number[],
    }));
    for (const { server } of measured)
      for (let run = 0, sent = 0; run < MAX_WARM_UPS && sent < WARM_UP_REQUESTS; run += 1)
        sent += await load(server.url, operation, WARM_UP_MS);
    for (let round = 0; round < rounds; round += 1)
      for (const { server, forwarder, micros } of measured) {
        const before = cpuMicrosOfFamily(server.pid);
        const requests = await load(server.url, operation, runMs);
        micros.push((cpuMicrosOfFamily(server.pid) - before) / requests);
        onProgress(`${operation} ${round + 1}/${rounds}: ${forwarder.name} ${Math.round(micros.at(-1) ?? 0)} µs`);
      }
    costs.push(...measured.map(({ server: _, ...cost }) => cost));
  }
  return costs;
}

async function startAll({ folder, onProgress }: ForwardersOptions, stack: AsyncDisposableStack) {
  compileServers();
  const [sessionId, token] = [randomUUID(), randomUUID()];
  const issuer = stack.adopt(await startTokenIssuer(sessionId), (started) => started.close());
  const traces = stack.adopt(await startTraceSink(), (started) => started.close());
  const settings: ServerSettings = {
    databaseUrl: '',
    tokens: [token],
    issuerUrl: issuer.url,
    sessionId,
    internalSecret: token,
    listeners: false,
    poolSize: 0,
  };
  const logs = join(folder, 'forwarders');
  mkdirSync(logs, { recursive: true });
  const start = async (name: string, program: string, upstreamUrl?: string): Promise<StartedServer> => {
    const given = { ...settings, ...(upstreamUrl !== undefined && { upstreamUrl }) };
    const server = await startServer({ name, program, settings: given, folder: logs, collectorUrl: traces.url });
    return stack.adopt(server, (started) => started.stop());
  };
  const upstream = await start('static-upstream', '../forwarders/static-upstream');
  const servers = new Map<Forwarder, StartedServer>();
  for (const forwarder of FORWARDERS) {
    if (forwarder.name === 'nginx' && findProgram('nginx') === undefined)
      onProgress('nginx is left out: install the package nginx to have it');
    else servers.set(forwarder, await start(forwarder.name, forwarder.program, upstream.url));
  }
  return { servers, token };
}

/** The costs as a table of Markdown: medians, and the smallest and the largest value. */
export function formatCosts(costs: readonly ForwarderCost[]): string {
  const operations = [...new Set(costs.map(({ operation }) => operation))];
  const forwarders = [...new Set(costs.map(({ forwarder }) => forwarder))];
  const cells = (forwarder: Forwarder) =>
    costs.filter((cost) => cost.forwarder === forwarder).map(({ micros }) => describe(micros));
  const rows = forwarders.map((forwarder) => [forwarder.about, ...cells(forwarder)]);
  return markdownTable(['CPU µs per request', ...operations], rows);
}

const describe = (micros: readonly number[]): string =>
  `${Math.round(medianOf(micros))} (${Math.round(Math.min(...micros))}–${Math.round(Math.max(...micros))})`;
