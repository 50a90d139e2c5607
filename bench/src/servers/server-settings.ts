/** What a server process of the benchmarks receives, as JSON in `LINTEL_BENCH_SERVER`. */
export interface ServerSettings {
  readonly databaseUrl: string;
  /** Tokens that the yardsticks accept as they are. */
  readonly tokens: readonly string[];
  /** Address of the signing keys and of `/internal/exchange`. */
  readonly issuerUrl: string;
  readonly sessionId: string;
  /** Secret of calls between services. */
  readonly internalSecret: string;
  /** Upstream of a gateway. */
  readonly upstreamUrl?: string;
  /** Whether the application's listeners are called. */
  readonly listeners: boolean;
  /** Further effects of a write of an order. */
  readonly adds?: Addition | undefined;
  /** Whether it runs an empty job. */
  readonly jobs?: boolean;
  /** Connections to the database. */
  readonly poolSize: number;
}

/** `history`: the change is recorded; `follow-ups`: an event is published, and a run is queued that others carry out. */
export type Addition = 'history' | 'follow-ups';

export const EMPTY_JOB = 'empty';

/** Connections to the database of every server, as on the performance page. */
export const POOL_SIZE = 10;

export function readServerSettings(): ServerSettings {
  const text = process.env['LINTEL_BENCH_SERVER'];
  if (text === undefined) throw new Error('LINTEL_BENCH_SERVER is not set: this process is started by the benchmark');
  return JSON.parse(text) as ServerSettings;
}
