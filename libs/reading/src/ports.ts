import type { SessionPositions } from '@lintel/cache';
import type { Replicas } from '@lintel/persistence';

/** Ids of new instances and events: UUIDs of version 7, rising with time. */
export interface IdSource {
  next(): string;
}

/** The replicas of the database, and the log positions that sessions have written up to. */
export interface ReplicaPorts {
  readonly replicas: Replicas;
  readonly positions: SessionPositions;
}
