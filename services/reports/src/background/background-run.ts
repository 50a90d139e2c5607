/** Where a run is: the last three are its end. */
export type RunStatus = 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';

/** What a running run is at. */
export type RunPhase = 'PARAMETERS' | 'DATA' | 'DOCUMENT';

/** How far a run is. */
export interface RunProgress {
  readonly phase: RunPhase;
  /** Rows of data sets that were read. */
  readonly rows: number;
}

/** Why a run failed: what a client that waited would have been answered. */
export interface RunFailure {
  readonly status: number;
  readonly error: string;
  readonly details: string;
}

/** The document of a run, kept as a file. */
export interface RunResult {
  readonly fileRef: string;
  readonly name: string;
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
}

/** A run that a client asked for without waiting for it. */
export interface NewRun {
  readonly id: string;
  readonly username: string;
  readonly sessionId: string;
  readonly report: { readonly id: string; readonly code: string | undefined; readonly name: string };
  readonly templateCode: string;
  /** Body of the request. */
  readonly request: string;
  /** Underscore form. */
  readonly locale: string;
  /** With it the service asks for tokens of the caller when the run begins. */
  readonly waitingToken: string;
}

/** A run as its client sees it. Times are ISO 8601 in UTC. */
export interface BackgroundRun {
  readonly id: string;
  readonly report: NewRun['report'];
  readonly templateCode: string;
  readonly status: RunStatus;
  readonly phase: RunPhase | undefined;
  readonly rows: number;
  readonly createdAt: string;
  readonly startedAt: string | undefined;
  readonly finishedAt: string | undefined;
  readonly failure: RunFailure | undefined;
  readonly result: RunResult | undefined;
}

/** The right to work at a run, for as long as it is renewed. */
export interface Lease {
  readonly runId: string;
  readonly leaseId: string;
}

/** A run that a worker got. */
export interface ClaimedRun extends Lease {
  readonly run: NewRun;
  /** How often it was begun, this time included. */
  readonly attempt: number;
}
