import type { Database, Transaction } from '../database.ts';
import { PRUNE_INTERVAL_MS, pruneEvery } from './prune-every.ts';

/** The port `InboxStore<Transaction>` of `@lintel/events`, met by its shape. */
export interface EventInbox {
  once(consumer: string, eventId: string, work: (transaction: Transaction) => Promise<void>): Promise<void>;
}

export interface InboxStoreOptions {
  /** How long handled events are remembered; longer than any of them can be delivered again. */
  readonly retentionMs?: number;
}

const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

const RECORD = `INSERT INTO events.inbox (consumer, event_id) VALUES ($1, $2)
ON CONFLICT DO NOTHING RETURNING true AS recorded`;

const PRUNE = `DELETE FROM events.inbox WHERE ctid = ANY (ARRAY (
  SELECT ctid FROM events.inbox WHERE handled_at < now() - $1 * interval '1 millisecond' LIMIT 10000))`;

/**
 * The inbox table of consumers. An event is recorded before `work` and committed after it, together with
 * what `work` writes through the transaction: of two deliveries at once the second waits for the first,
 * then does nothing; if `work` rejects, the record is rolled back and the event may come again.
 *
 * Each call holds one connection while `work` runs: give consumers a database with more connections than
 * events they handle at once.
 */
export function createInboxStore(database: Database, options: InboxStoreOptions = {}): EventInbox {
  const retentionMs = options.retentionMs ?? MONTH_MS;
  const prune = pruneEvery(PRUNE_INTERVAL_MS, () =>
    database.query({ name: 'lintel_inbox_prune', text: PRUNE, values: [retentionMs] }),
  );
  return {
    async once(consumer, eventId, work) {
      await database.transaction(async (transaction) => {
        const recorded = await transaction.query({
          name: 'lintel_inbox_record',
          text: RECORD,
          values: [consumer, eventId],
        });
        if (recorded.length > 0) await work(transaction);
      });
      await prune();
    },
  };
}
