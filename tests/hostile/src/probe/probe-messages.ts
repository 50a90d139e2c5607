import type { LatencySummary } from './latencies.ts';

/** What the probe observes. */
export interface ProbeTarget {
  readonly url: string;
  /** Folder of the sockets that `inside-process.mjs` reports at. */
  readonly sockets: string;
  readonly postmasterPid: number;
  /** The user whose requests go on during each attack. */
  readonly user: string;
  /** Between two requests of that user. */
  readonly intervalMs: number;
}

/** Requests of the other user. */
export interface OtherUser extends LatencySummary {
  /** Requests without the response that they must have: `GET /rest/userInfo: 503`. */
  readonly errors: readonly string[];
}

/** One process of the system. */
export interface ProcessFigures {
  readonly pid: number;
  readonly name: string;
  /** The longest block of its event loop. */
  readonly maxBlockMs: number;
  /** The same in processor time, which other programs do not make longer. */
  readonly maxBusyMs: number;
  /** Resident memory after a garbage collection, before and after. */
  readonly settledBytes: readonly [before: number, after: number];
  readonly peakBytes: number;
  readonly isAlive: boolean;
}

/** What was observed between `begin` and `end`. */
export interface ProbeReport {
  readonly otherUser: OtherUser;
  readonly processes: readonly ProcessFigures[];
  /** Memory of the largest PostgreSQL backend, without shared buffers. */
  readonly maxBackendBytes: number;
  /** Statements that were canceled and processes that were ended to protect the machine. */
  readonly interventions: readonly string[];
  /** The same processes of the server, so it has neither ended nor recovered. */
  readonly isDatabaseAlive: boolean;
  /** The longest block of the event loop of the probe: what a busy machine adds to all times. */
  readonly ownBlockMs: number;
}

export type ProbeCommand =
  | { readonly kind: 'start'; readonly target: ProbeTarget }
  | { readonly kind: 'begin' }
  | { readonly kind: 'end' };
export type ProbeResponse =
  | { readonly kind: 'started' }
  | { readonly kind: 'began' }
  | { readonly kind: 'ended'; readonly report: ProbeReport };
