import type { Session } from '@lintel/contracts';

/** Sessions; auth writes them, every service reads them. */
export interface SessionStore {
  load(id: string): Promise<Session | undefined>;
  save(session: Session, ttlMs: number): Promise<void>;
  delete(id: string): Promise<void>;
  /** Ids of all sessions of a user. */
  idsOf(username: string): Promise<readonly string[]>;
}
