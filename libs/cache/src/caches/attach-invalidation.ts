import type { Envelope } from '@lintel/contracts';
import type { Metrics } from '@lintel/telemetry';
import type { InvalidatedCache } from './invalidated-cache.ts';

/** The part of `EventBus` of `@lintel/events` that caches need. */
export interface InvalidationBus {
  subscribe(options: {
    readonly queue: { readonly kind: 'replica'; readonly service: string };
    readonly types: readonly string[];
    readonly handle: (envelope: Envelope) => Promise<void>;
  }): Promise<{ close(): Promise<void> }>;
  onConnection(listener: (state: 'connected' | 'disconnected') => void): void;
  isConnected(): boolean;
}

/**
 * Invalidates the caches of this process: a replica queue evicts entries by event. While the broker is unavailable the
 * short staleness bound applies; after a reconnection all entries are dropped, since events may have been missed.
 * Call it once, with all caches; from then on they report to `metrics`.
 */
export async function attachInvalidation(
  bus: InvalidationBus,
  service: string,
  caches: readonly InvalidatedCache[],
  metrics?: Metrics,
): Promise<{ close(): Promise<void> }> {
  let attached = true;
  if (metrics !== undefined) for (const { meter } of caches) meter.reportTo(metrics);
  const follow = (connected: boolean): void => {
    for (const cache of caches) {
      // A cache without events cannot have missed one.
      if (connected && cache.declaration.staleness !== 'of its versions') cache.dropAll();
      cache.setConnected(connected);
    }
  };
  bus.onConnection((state) => {
    if (attached) follow(state === 'connected');
  });
  const types = [...new Set(caches.flatMap(({ declaration }) => declaration.invalidatedBy))];
  const subscription = await bus.subscribe({
    queue: { kind: 'replica', service },
    types,
    handle: async (event) => {
      let failure: { readonly error: unknown } | undefined;
      for (const cache of caches)
        try {
          cache.handleEvent(event);
        } catch (error) {
          // This cache may be stale now; the other caches must get the event all the same.
          cache.dropAll();
          failure ??= { error };
        }
      // The bus logs it, and delivers the event again.
      if (failure !== undefined) throw failure.error;
    },
  });
  // A value that was loaded before the queue existed may have missed its event.
  follow(bus.isConnected());
  return {
    close: async () => {
      attached = false;
      for (const cache of caches) cache.setConnected(false);
      await subscription.close();
    },
  };
}
