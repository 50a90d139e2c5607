import type { LogPosition } from '../connection/log-position.ts';

/** What is known of a replica. */
export interface ReplicaFacts {
  readonly number: number;
  /** Up to where it has replayed; undefined while it must not be asked. */
  readonly position: LogPosition | undefined;
  /** It shows everything that was committed before this moment; milliseconds of a steady clock. */
  readonly freshAtMs: number;
}

export interface ReplicaChoice {
  readonly nowMs: number;
  readonly maxLagMs: number;
  /** Who wants to read: the same replica while that one can be used, so that time does not run backwards. */
  readonly caller: string;
  /** What must have been replayed. */
  readonly mark: LogPosition | undefined;
}

/** Whether everything older than the greatest lag is shown. */
export const isFresh = ({ position, freshAtMs }: ReplicaFacts, nowMs: number, maxLagMs: number): boolean =>
  position !== undefined && nowMs - freshAtMs <= maxLagMs;

/** The replica for a caller; undefined where none may be asked. */
export function chooseReplica<R extends ReplicaFacts>(
  replicas: readonly R[],
  { nowMs, maxLagMs, caller, mark = '' }: ReplicaChoice,
): R | undefined {
  const callerHash = hashOf(caller);
  let chosen: R | undefined;
  let greatest = -1;
  for (const replica of replicas) {
    if (!isFresh(replica, nowMs, maxLagMs) || (replica.position ?? '') < mark) continue;
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

/** Rendezvous hashing: without a replica only its own callers go elsewhere. */
function mixed(hash: number, number: number): number {
  let mix = Math.imul(hash ^ Math.imul(number, 0x9e3779b1), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
