import type { HttpCall } from '../operations/index.ts';
import { HttpConnection } from './http-connection.ts';

export interface LoadOptions {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  readonly durationMs: number;
  /** The next request. */
  readonly next: () => HttpCall;
}

/** What a run saw; only responses that ended in time count. */
export interface LoadResult {
  readonly requests: number;
  readonly durationMs: number;
  readonly bytes: number;
  /** Of every request, in milliseconds, ascending. */
  readonly latenciesMs: readonly number[];
  /** Responses without success, by status. */
  readonly failures: Readonly<Record<string, number>>;
  /** Processor time of this process in microseconds. */
  readonly cpuMicros: number;
}

/** Keeps `connections` requests under way for `durationMs`. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const url = new URL(options.url);
  const connections = await Promise.all(
    Array.from({ length: options.connections }, () => HttpConnection.open(url, options.token)),
  );
  const latenciesMs: number[] = [];
  const failures: Record<string, number> = {};
  let bytes = 0;
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const end = begin + options.durationMs;
  const work = async (connection: HttpConnection): Promise<void> => {
    for (;;) {
      const call = options.next();
      const sent = performance.now();
      if (sent >= end) return;
      const response = await connection.send(call);
      bytes += response.bytes;
      if (response.status < 300) latenciesMs.push(performance.now() - sent);
      else failures[response.status] = (failures[response.status] ?? 0) + 1;
    }
  };
  await Promise.all(connections.map(work));
  const durationMs = performance.now() - begin;
  const { user, system } = process.cpuUsage(cpu);
  for (const connection of connections) connection.close();
  latenciesMs.sort((left, right) => left - right);
  return { requests: latenciesMs.length, durationMs, bytes, latenciesMs, failures, cpuMicros: user + system };
}
