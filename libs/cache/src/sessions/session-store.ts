import type { Session } from '@lintel/contracts';

/** Sessions; auth writes them, every service reads them. */
export interface SessionStore {
  load(id: string): Promise<Session | undefined>;
  /** Several sessions at once, in the order of their ids. */
  loadAll(ids: readonly string[]): Promise<readonly (Session | undefined)[]>;
  save(session: Session, ttlMs: number): Promise<void>;
  delete(id: string): Promise<void>;
  /** Deletes sessions of one user at the same time. */
  deleteOf(username: string, ids: readonly string[]): Promise<void>;
  /** Records the time of a call under a key of its own: rewriting the session could undo a change of the user. */
  recordSeen(id: string, atMs: number): Promise<void>;
  /** Time of the last recorded call; milliseconds since the epoch. */
  lastSeenMs(id: string): Promise<number | undefined>;
  /** The same of several sessions, in their order. */
  lastSeenOf(ids: readonly string[]): Promise<readonly (number | undefined)[]>;
  /** Ids of all sessions of a user; not of a client of that name. */
  idsOf(username: string): Promise<readonly string[]>;
}
