import type { SessionPositions } from '@lintel/cache';
import {
  COMMITTED_POSITION,
  type Database,
  GREATEST_POSITION,
  type LogPosition,
  type Replicas,
} from '@lintel/persistence';

/** Records the log position of the last write of each session, so that the session reads its own writes. */
export interface ReadYourWrites {
  /**
   * Awaited before a committed write is acknowledged: no later read of the session is served by a replica without the
   * write, in any process. Never rejects.
   *
   * @param position undefined if it is unknown
   */
  committed(writer: { readonly sessionId?: string }, position: LogPosition | undefined): Promise<void>;
  /**
   * After a refused write: later reads of the session see the state of the database that the refusal was based on.
   * Never rejects.
   */
  refused(writer: { readonly sessionId?: string }): Promise<void>;
  /**
   * After a write whose outcome is unknown: later reads of the session go to the primary. The primary is not queried
   * here, since it may be unavailable. Never rejects.
   */
  uncertain(writer: { readonly sessionId?: string }): Promise<void>;
}

export interface ReadYourWritesOptions {
  readonly replicas: Pick<Replicas, 'settled'>;
  readonly positions: Pick<SessionPositions, 'raise'>;
  readonly primary: Pick<Database, 'query'>;
}

/**
 * The log position of a session is stored for all processes; where that fails, a write is acknowledged later instead.
 */
export const createReadYourWrites = ({ replicas, positions, primary }: ReadYourWritesOptions): ReadYourWrites => ({
  async committed({ sessionId }, position = GREATEST_POSITION) {
    // Writes of the application itself belong to no session.
    if (sessionId === undefined) return;
    try {
      await positions.raise(sessionId, position);
    } catch {
      // Other processes may not see the position: the write is acknowledged once all replicas have replayed it.
      await replicas.settled(position);
    }
  },
  async refused({ sessionId }) {
    if (sessionId === undefined) return;
    try {
      const [row] = await primary.query<{ readonly position: LogPosition }>(COMMITTED_POSITION);
      await positions.raise(sessionId, row?.position ?? GREATEST_POSITION);
    } catch {
      // Nothing was acknowledged, so the session has no write to read; the client must get the refusal itself.
    }
  },
  async uncertain({ sessionId }) {
    if (sessionId === undefined) return;
    // Nothing was acknowledged here either.
    await positions.raise(sessionId, GREATEST_POSITION).catch(() => {});
  },
});
