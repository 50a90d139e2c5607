import type { CallerKey } from '@lintel/contracts';
import type { StoredDocument } from '../files/document-store.ts';

/** State of a run; the last three are final. */
export type RunStatus = 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';

/** Phase of a run that is running. */
export type RunPhase = 'PARAMETERS' | 'DATA' | 'DOCUMENT';

/** Progress of a run. */
export interface RunProgress {
  readonly phase: RunPhase;
  /** Number of rows of data sets that were read. */
  readonly rows: number;
}

/** Why a run failed: the error response that a client that waits would have received. */
export interface RunFailure {
  readonly status: number;
  readonly error: string;
  readonly details: string;
}

/** A run in the background, as it is requested. */
export interface NewRun {
  readonly id: string;
  readonly caller: CallerKey;
  readonly sessionId: string;
  readonly report: { readonly id: string; readonly code: string | undefined; readonly name: string };
  readonly templateCode: string;
  /** Body of the request. */
  readonly request: string;
  /** Underscore form. */
  readonly locale: string;
  /** Exchanged for tokens of the caller when the run begins. */
  readonly waitingToken: string;
}

/** A run in the background with its state. Times are ISO 8601 in UTC. */
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
  readonly result: StoredDocument | undefined;
}

/** The right to execute a run, as long as it is renewed. */
export interface Lease {
  readonly runId: string;
  readonly leaseId: string;
}

/** A run with the lease of a worker. */
export interface ClaimedRun extends Lease {
  readonly run: NewRun;
  /** Number of attempts, including this one. */
  readonly attempt: number;
}
