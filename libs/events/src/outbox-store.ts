import type { Envelope } from '@lintel/contracts';

/** An event in the outbox. */
export interface OutboxEntry {
  /** Position in the outbox; ascending in commit order per subject. */
  readonly position: string;
  readonly envelope: Envelope;
}

/** Port to the outbox table, implemented over `@lintel/persistence`. */
export interface OutboxStore {
  /**
   * Takes up to `limit` unpublished entries (`FOR UPDATE SKIP LOCKED`), passes them to `publish`, and
   * marks them as published when it resolves; all in one transaction. Returns how many there were.
   */
  relay(limit: number, publish: (entries: readonly OutboxEntry[]) => Promise<void>): Promise<number>;
  /** Calls `wake` whenever an entry is committed (`NOTIFY`). */
  listen(wake: () => void): Promise<{ close(): Promise<void> }>;
}
