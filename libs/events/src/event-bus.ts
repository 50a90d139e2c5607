import type { Envelope } from '@lintel/contracts';

export interface Subscription {
  close(): Promise<void>;
}

export interface SubscribeOptions {
  /**
   * `work`: one durable quorum queue that all replicas of a service share; each event is handled once.
   * `replica`: a queue of this process alone, gone with its connection; for cache invalidation.
   */
  readonly queue:
    | { readonly kind: 'work'; readonly name: string }
    | { readonly kind: 'replica'; readonly service: string };
  /** Event types, e.g. `data.user.changed.v1`. */
  readonly types: readonly string[];
  /** Rejecting with an error whose `retryable` is false dead-letters the event; any other is retried. */
  readonly handle: (envelope: Envelope) => Promise<void>;
}

/** The bus, whichever adapter: AMQP between processes, in memory inside one. */
export interface EventBus {
  /** Resolves when the broker has confirmed every event. */
  publish(envelopes: readonly Envelope[]): Promise<void>;
  subscribe(options: SubscribeOptions): Promise<Subscription>;
  /**
   * Called on every change of the connection. After `connected` that is not the first, anything cached
   * must be dropped: events may have been missed.
   */
  onConnection(listener: (state: 'connected' | 'disconnected') => void): void;
  isConnected(): boolean;
  close(): Promise<void>;
}
