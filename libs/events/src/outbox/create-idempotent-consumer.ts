import type { Envelope } from '@lintel/contracts';
import type { InboxStore } from '../outbox-store.ts';

export interface IdempotentConsumerOptions<Context> {
  readonly inbox: InboxStore<Context>;
  /** Name under which handled events are recorded; the same for all replicas, different for each purpose. */
  readonly consumer: string;
  /** Does its work with `context`, the transaction that also records the event. */
  readonly handle: (envelope: Envelope, context: Context) => Promise<void>;
}

/**
 * A handler for `subscribe` that handles each event once, however often it is delivered. Events are told
 * apart by id, never by content: equal updates are two real events.
 */
export function createIdempotentConsumer<Context>({
  inbox,
  consumer,
  handle,
}: IdempotentConsumerOptions<Context>): (envelope: Envelope) => Promise<void> {
  return (envelope) => inbox.once(consumer, envelope.id, (context) => handle(envelope, context));
}
