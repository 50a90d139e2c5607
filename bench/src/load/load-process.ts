import type { LoadReport } from '../measure/run-record.ts';
import { quantileOf } from '../measure/statistics.ts';
import { type HttpCall, OPERATIONS, type Operation } from '../operations/index.ts';
import { PEER_CALLS, type PeerName } from '../peers/peer-calls.ts';
import { runLoad } from './run-load.ts';

/** What the load process has to do. */
export interface LoadJob {
  readonly url: string;
  readonly token: string;
  readonly operation: string;
  /** Whose API the server has. */
  readonly api: 'lintel' | 'yardstick' | PeerName;
  readonly durationMs: number;
  /** Requests under way at the same time; those of the operation without it. */
  readonly connections?: number;
}

async function work(job: LoadJob): Promise<LoadReport> {
  const operation = OPERATIONS.find(({ name }) => name === job.operation);
  if (operation === undefined) throw new Error(`There is no operation ${job.operation}`);
  const result = await runLoad({
    url: job.url,
    token: job.token,
    connections: job.connections ?? operation.connections,
    durationMs: job.durationMs,
    next: callsOf(operation, job.api),
  });
  return {
    requests: result.requests,
    perSecond: (result.requests / result.durationMs) * 1000,
    p50Ms: quantileOf(result.latenciesMs, 0.5),
    p99Ms: quantileOf(result.latenciesMs, 0.99),
    bytesPerResponse: result.requests === 0 ? 0 : Math.round(result.bytes / result.requests),
    failures: result.failures,
    cpuMicros: result.cpuMicros,
  };
}

function callsOf(operation: Operation, api: LoadJob['api']): () => HttpCall {
  if (api === 'lintel' || api === 'yardstick') return () => operation.draw()[api];
  const draw = PEER_CALLS[api][operation.name];
  if (draw === undefined) throw new Error(`${api} has no request for it`);
  return draw;
}

/** The generator is a process of its own: what it costs is not the server's. */
process.on('message', (job: LoadJob) => {
  work(job).then(
    (report) => process.send?.({ report }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit());
