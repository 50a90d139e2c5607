import type { SessionMarks } from '@lintel/cache';
import {
  COMMITTED_POSITION,
  type Database,
  GREATEST_POSITION,
  type LogPosition,
  type Replicas,
} from '@lintel/persistence';

/** What a session must find again in its reads: where in the log of the database its last write was. */
export interface WriteMarks {
  /**
   * To be waited for before a committed write is acknowledged: no read of the session that begins later is answered
   * by a replica without the write, whatever process receives it. Never rejects.
   *
   * @param position undefined where it did not become known
   */
  committed(writer: { readonly sessionId?: string }, position: LogPosition | undefined): Promise<void>;
  /**
   * After a write that was refused: who asks what has come in between is answered with what the database holds now.
   * Never rejects.
   */
  refused(writer: { readonly sessionId?: string }): Promise<void>;
  /**
   * After a write whose outcome is not known: who asks whether it was carried out is answered by the primary, which
   * is not asked here, since it may be away. Never rejects.
   */
  uncertain(writer: { readonly sessionId?: string }): Promise<void>;
}

export interface WriteMarkOptions {
  readonly replicas: Pick<Replicas, 'settled'>;
  readonly marks: Pick<SessionMarks, 'raise'>;
  readonly primary: Pick<Database, 'query'>;
}

export const createWriteMarks = ({ replicas, marks, primary }: WriteMarkOptions): WriteMarks => ({
  async committed({ sessionId }, position = GREATEST_POSITION) {
    // What the application writes by itself is in nobody's session.
    if (sessionId === undefined) return;
    try {
      await marks.raise(sessionId, position);
    } catch {
      // Other processes may see marks, and not this one: the write is acknowledged when it makes no difference.
      await replicas.settled(position);
    }
  },
  async refused({ sessionId }) {
    if (sessionId === undefined) return;
    try {
      const [row] = await primary.query<{ readonly position: LogPosition }>(COMMITTED_POSITION);
      await marks.raise(sessionId, row?.position ?? GREATEST_POSITION);
    } catch {
      // Nothing was acknowledged, so nothing is owed; the refusal itself is what the client must learn.
    }
  },
  async uncertain({ sessionId }) {
    if (sessionId === undefined) return;
    // Nothing was acknowledged here either.
    await marks.raise(sessionId, GREATEST_POSITION).catch(() => {});
  },
});
