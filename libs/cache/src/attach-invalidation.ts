import type { Envelope } from '@lintel/contracts';
import type { InvalidatedCache } from './create-cache.ts';

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
 * Keeps the caches of this process true: one replica queue evicts by event; while the broker is away the
 * short staleness bound holds; and since nobody knows what was missed, all is dropped when it is back.
 * Call it once, with all caches.
 */
export async function attachInvalidation(
  bus: InvalidationBus,
  service: string,
  caches: readonly InvalidatedCache[],
): Promise<{ close(): Promise<void> }> {
  let attached = true;
  const follow = (connected: boolean): void => {
    for (const cache of caches) {
      if (connected) cache.dropAll();
      cache.setConnected(connected);
    }
  };
  bus.onConnection((state) => {
    if (attached) follow(state === 'connected');
  });
  const types = [...new Set(caches.flatMap((cache) => cache.invalidatedBy))];
  const subscription = await bus.subscribe({
    queue: { kind: 'replica', service },
    types,
    handle: async (event) => {
      for (const cache of caches) cache.handleEvent(event);
    },
  });
  // Whatever was loaded before the queue existed may have missed its event.
  follow(bus.isConnected());
  return {
    close: async () => {
      attached = false;
      for (const cache of caches) cache.setConnected(false);
      await subscription.close();
    },
  };
}
