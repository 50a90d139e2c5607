import type { Envelope } from '@lintel/contracts';

/** A queue from which events are being taken. */
export interface Subscription {
  /** Takes no more events and waits a bounded time for the ones being handled. */
  close(): Promise<void>;
}

/** Which events are delivered, to which queue, and what handles them. */
export interface SubscribeOptions {
  /**
   * `work`: one durable queue, `<service>.<name>`, that all replicas of a service share; each event is delivered to
   * one of them, and again after a failure or a lost connection. `service` is the service of this bus.
   * `jobs`: a durable queue like it whose consumers share the work: events have no order, and each process
   * handles at most `concurrency` at a time. For long operations; the broker waits for the end of one for at most its
   * `consumer_timeout` (RabbitMQ: 30 minutes).
   * `replica`: a queue of this process alone, deleted with its connection; for cache invalidation.
   */
  readonly queue:
    | { readonly kind: 'work'; readonly name: string }
    | { readonly kind: 'jobs'; readonly name: string; readonly concurrency: number }
    | { readonly kind: 'replica'; readonly service: string };
  /** Event types, e.g. `data.user.changed.v1`. */
  readonly types: readonly string[];
  /**
   * Called at least once per event; never twice at a time for one subject, and, but for `jobs`, in the order of
   * publication per subject. Rejecting with an error whose `retryable` is false dead-letters the event; any other is
   * retried for minutes, then dead-lettered.
   */
  readonly handle: (envelope: Envelope) => Promise<void>;
}

/** The bus, whichever adapter: AMQP between processes, in memory inside one. */
export interface EventBus {
  /**
   * Resolves when the broker has confirmed every event. An event without a matching queue is no error.
   *
   * @throws PlatformError BUS_UNAVAILABLE after a bounded wait; any of the events may have been published then
   */
  publish(envelopes: readonly Envelope[]): Promise<void>;
  /** Without a connection, the subscription is opened as soon as there is one. */
  subscribe(options: SubscribeOptions): Promise<Subscription>;
  /**
   * Called on every change of the connection; on `connected` all subscriptions are in place. After a
   * `connected` that is not the first, anything cached must be dropped: events may have been missed.
   */
  onConnection(listener: (state: 'connected' | 'disconnected') => void): void;
  isConnected(): boolean;
  /** Takes no more events, waits a bounded time for the ones being handled, and disconnects. */
  close(): Promise<void>;
}
