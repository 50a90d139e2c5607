import type { Entity } from '@lintel/metadata';
import type { ExactJson } from '@lintel/query';
import type { Key } from './values/value.ts';

/** A root that was saved. */
export interface Saved {
  readonly entity: Entity;
  readonly key: Key;
}

/** With the values that were sent and are not stored. */
export interface SavedRoot extends Saved {
  readonly unstored: ReadonlyMap<string, ExactJson>;
  /** Before the save; undefined for a new instance and for an entity without versions. */
  readonly storedVersion: string | undefined;
}
