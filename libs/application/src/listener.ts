import type { DataManager } from './data-manager.ts';

/** Values of an instance by the names of its attributes, in JSON form. */
export type EntityValues = Readonly<Record<string, unknown>>;

/** One changed instance, as a listener gets it. */
export interface EntityChange {
  /** The entity of the instance, which may be a descendant of the one that the listener names. */
  readonly entity: string;
  /** Key of the instance in its JSON form: a text, a number, or an object for a composite key. */
  readonly id: unknown;
  /** What happened to the instance; a soft deletion is `deleted`. */
  readonly change: 'created' | 'updated' | 'deleted';
  /** Stored values before the change; absent for a new instance. */
  readonly before: EntityValues | undefined;
  /**
   * Values after the change; absent for a deleted instance. Those of a new instance have its composition children, at
   * every depth.
   */
  readonly after: EntityValues | undefined;
  /** Composition children may have changed, with the instance or without it. */
  readonly withChildren: boolean;
}

/** Tools inside the transaction of the change. `data` reads and writes without the caller's limits. */
export interface ListenerContext {
  /** Of the user or client that changes the instance. */
  readonly username: string;
  /** Whether `username` is the name of a client or of a user; absent for what the application does by itself. */
  readonly kind?: 'user' | 'client' | 'anonymous' | undefined;
  /**
   * Whether everything is rolled back at the end: what a listener does outside of the database must not happen then
   * (contract/writing.md#rehearsal).
   */
  readonly isDryRun: boolean;
  /** Reads and writes in the transaction of the change, without the limits of the user. */
  readonly data: DataManager;
  /** Whether the caller has a specific permission; what the application does by itself has them all. */
  readonly hasSpecific: (permission: string) => boolean;
  /** The text of a message's key in the caller's language, as `ServiceContext.message`. */
  readonly message: (key: string, parameters?: Readonly<Record<string, string | number>>) => string;
}

/**
 * Called for changes of one entity and its descendants. All but `afterCommit` run inside the transaction: throwing
 * rolls everything back. After a deadlock, and after some errors of the database, the whole transaction is repeated
 * with its listeners: their effects outside of the database may happen twice.
 *
 * `beforeSave` may return values to set on the instance; children in `after` are then as they were sent. `afterSave`
 * runs when the rows are written, also for an instance of which only composition children have changed: its version
 * has risen.
 *
 * `afterCommit` runs after the commit and before the response, once for each instance, with its state before the
 * transaction and after it. Each call of its `data` is a transaction of its own. A failure is logged and has no
 * effect on the response; it is not called if the process dies, so work that must not be lost belongs to an event
 * handler (`onEvent`).
 */
export interface EntityListener {
  /** Name of the entity; the listener is called for its descendants, too. */
  readonly entity: string;
  /** Before the rows are written; the returned values are set on the instance. */
  readonly beforeSave?: (change: EntityChange, context: ListenerContext) => Promise<EntityValues | void>;
  /** When the rows are written, before the commit. */
  readonly afterSave?: (change: EntityChange, context: ListenerContext) => Promise<void>;
  /** Before the instance is deleted, softly or not. */
  readonly beforeDelete?: (change: EntityChange, context: ListenerContext) => Promise<void>;
  /** After the commit, before the response. */
  readonly afterCommit?: (change: EntityChange, context: ListenerContext) => Promise<void>;
}

/** Defines a listener. */
export const entityListener = (listener: EntityListener): EntityListener => Object.freeze(listener);
