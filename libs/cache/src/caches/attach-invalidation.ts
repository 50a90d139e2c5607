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
 * Keeps the caches of this process true: one replica queue evicts by event; while the broker is away the
 * short staleness bound holds; and since nobody knows what was missed, all is dropped when it is back.
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
      // What no event can make wrong was not missed either.
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
