import type { DataManager } from './data-manager.ts';

export type EntityValues = Readonly<Record<string, unknown>>;

/** What a listener sees of one changed instance. */
export interface EntityChange {
  readonly entity: string;
  readonly id: unknown;
  readonly change: 'created' | 'updated' | 'deleted';
  /** Stored values before the change; absent for a new instance. */
  readonly before: EntityValues | undefined;
  /** Values after the change; absent for a deleted instance. */
  readonly after: EntityValues | undefined;
}

/** Tools inside the transaction of the change. `data` reads and writes without the caller's limits. */
export interface ListenerContext {
  readonly username: string;
  readonly data: DataManager;
}

/**
 * Called for changes of one entity, inside the transaction. Throwing rolls everything back.
 *
 * `beforeSave` may return values to set on the instance; `afterSave` runs when the rows are written.
 */
export interface EntityListener {
  readonly entity: string;
  readonly beforeSave?: (change: EntityChange, context: ListenerContext) => Promise<EntityValues | void>;
  readonly afterSave?: (change: EntityChange, context: ListenerContext) => Promise<void>;
  readonly beforeDelete?: (change: EntityChange, context: ListenerContext) => Promise<void>;
}

/** Defines a listener. */
export const entityListener = (listener: EntityListener): EntityListener => Object.freeze(listener);
