/** The state of one check of a process. `reason` has neither addresses nor secrets. */
export interface ProcessCheck {
  readonly status: 'up' | 'degraded' | 'down';
  readonly reason?: string;
}

/** What a running process reports about itself every few seconds (contract/operations.md#processes). */
export interface ProcessReport {
  /** Unique among all processes that run: service, host and process id. */
  readonly id: string;
  /** `gateway`, `auth`, `data`, `files`, `reports`; `standalone` for all of them in one process. */
  readonly service: string;
  readonly host: string;
  readonly processId: number;
  readonly nodeVersion: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly reportedAt: string;
  readonly status: 'ready' | 'degraded' | 'not ready';
  readonly checks: Readonly<Record<string, ProcessCheck>>;
  readonly memoryBytes: number;
}

/** A property in force in a process, without secrets (contract/operations.md#settings). */
export interface ProcessSetting {
  readonly name: string;
  /** With secrets masked; null if there is no value. */
  readonly value: string | null;
  readonly secret: boolean;
  /** `default`, `environment: SVC_REST_BASE_PATH`, `/etc/lintel.yml:12`, `application`. */
  readonly origin: string;
}

/** A statement that took longer than `svc.datasource.slow-query-threshold` (contract/operations.md#slow-statements). */
export interface SlowStatement {
  readonly pool: string;
  /** Null for a statement without a name. */
  readonly statement: string | null;
  /** With `$1` for values; at most 2,000 characters. */
  readonly text: string;
  /** How often it was slow since the start of the process. */
  readonly count: number;
  readonly lastAt: string;
  readonly lastMs: number;
  readonly maxMs: number;
  /** Of the last execution that was slow. */
  readonly traceId: string | null;
  /** The generic plan, if `svc.datasource.slow-query-plan` is set. */
  readonly plan: string | null;
}
