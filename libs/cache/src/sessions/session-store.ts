import type { Session } from '@lintel/contracts';

/** Sessions; auth writes them, every service reads them. */
export interface SessionStore {
  load(id: string): Promise<Session | undefined>;
  save(session: Session, ttlMs: number): Promise<void>;
  delete(id: string): Promise<void>;
  /** Remembers that a call of the session came, beside the session: rewriting it could undo a change of the user. */
  markSeen(id: string, atMs: number): Promise<void>;
  /** When the last call came, as far as was remembered; milliseconds since the epoch. */
  lastSeenMs(id: string): Promise<number | undefined>;
  /** Ids of all sessions of a user. */
  idsOf(username: string): Promise<readonly string[]>;
}
