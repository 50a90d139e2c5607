/** A run as the load process saw it. */
export interface LoadReport {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bytesPerResponse: number;
  readonly failures: Readonly<Record<string, number>>;
  /** Processor time of the generator. */
  readonly cpuMicros: number;
}

/** One run of one system. */
export interface RunRecord extends LoadReport {
  /** Requests per second of the reference right before. */
  readonly referencePerSecond: number;
  /** Processor microseconds per request of each process that takes part, by its name, `postgres` among them. */
  readonly cpuMicrosPerRequest: Readonly<Record<string, number>>;
  /** Resident memory after the run, by process. */
  readonly rssMiB: Readonly<Record<string, number>>;
  /** How much of it came in the run. */
  readonly rssGrowthMiB: Readonly<Record<string, number>>;
  /** How late timers were, by process: 99 of 100 less than this. */
  readonly loopLagP99Ms: Readonly<Record<string, number>>;
}

/** All runs of one system with one operation, and what they come to. */
export interface SystemResult {
  readonly system: string;
  readonly runs: readonly RunRecord[];
  readonly perSecond: number;
  /** To the reference: median of the paired ratios. */
  readonly ratio: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMicrosPerRequest: Readonly<Record<string, number>>;
  readonly rssMiB: Readonly<Record<string, number>>;
  /** The most of one run. */
  readonly rssGrowthMiB: Readonly<Record<string, number>>;
  readonly loopLagP99Ms: Readonly<Record<string, number>>;
  readonly failures: number;
}
