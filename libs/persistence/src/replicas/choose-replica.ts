import type { LogPosition } from '../connection/log-position.ts';

/** The known state of a replica. */
export interface ReplicaFacts {
  readonly number: number;
  /** Up to where it has replayed; undefined while it must not be used. */
  readonly position: LogPosition | undefined;
  /** It has everything that was committed before this time; milliseconds of a monotonic clock. */
  readonly freshAtMs: number;
}

export interface ReplicaChoice {
  readonly nowMs: number;
  readonly maxLagMs: number;
  /**
   * The same caller gets the same replica while it can be used, so that a later read does not return an older state.
   */
  readonly caller: string;
  /** The replica must have replayed the log up to this position. */
  readonly minPosition: LogPosition | undefined;
}

/** Whether the replica has everything that is older than the maximum lag. */
export const isFresh = ({ position, freshAtMs }: ReplicaFacts, nowMs: number, maxLagMs: number): boolean =>
  position !== undefined && nowMs - freshAtMs <= maxLagMs;

/** Chooses the replica for a caller; undefined if none may be used. */
export function chooseReplica<R extends ReplicaFacts>(
  replicas: readonly R[],
  { nowMs, maxLagMs, caller, minPosition = '' }: ReplicaChoice,
): R | undefined {
  const callerHash = hashOf(caller);
  let chosen: R | undefined;
  let greatest = -1;
  for (const replica of replicas) {
    if (!isFresh(replica, nowMs, maxLagMs) || (replica.position ?? '') < minPosition) continue;
    const weight = mixed(callerHash, replica.number);
    if (weight <= greatest) continue;
    greatest = weight;
    chosen = replica;
  }
  return chosen;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** Rendezvous hashing: when a replica is lost, only its own callers change to others. */
function mixed(hash: number, number: number): number {
  let mix = Math.imul(hash ^ Math.imul(number, 0x9e3779b1), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
