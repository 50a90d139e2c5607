import type { Envelope } from '@lintel/contracts';
import type { Metrics } from '@lintel/telemetry';
import type { InvalidatedCache } from './invalidated-cache.ts';
import type { OwnWrites } from './own-writes.ts';

/** The part of `EventBus` of `@lintel/events` that caches need. */
export interface InvalidationBus {
  subscribe(options: {
    readonly queue: { readonly kind: 'replica'; readonly service: string };
    readonly types: readonly string[];
    readonly handle: (envelope: Envelope) => Promise<void>;
  }): Promise<{ close(): Promise<void> }>;
  publish(envelopes: readonly Envelope[]): Promise<void>;
  onConnection(listener: (state: 'connected' | 'disconnected') => void): void;
  isConnected(): boolean;
}

/** What else knows of the caches of a process. */
export interface InvalidationOptions {
  /** Gets their metrics. */
  readonly metrics?: Metrics | undefined;
  /** Makes writers in all processes wait for these caches; without it they are current after the event. */
  readonly ownWrites?: OwnWrites | undefined;
}

/**
 * Invalidates the caches of this process: a replica queue evicts entries by event. While the broker is unavailable the
 * short staleness bound applies; after a reconnection all entries are dropped, since events may have been missed.
 * Call it once, with all caches.
 */
export async function attachInvalidation(
  bus: InvalidationBus,
  service: string,
  caches: readonly InvalidatedCache[],
  { metrics, ownWrites }: InvalidationOptions = {},
): Promise<{ close(): Promise<void> }> {
  let attached = true;
  if (metrics !== undefined) for (const { meter } of caches) meter.reportTo(metrics);
  const follow = (connected: boolean): Promise<void> | undefined => {
    for (const cache of caches) {
      // A cache without events cannot have missed one.
      if (connected && cache.declaration.staleness !== 'of its versions') cache.dropAll();
      cache.setConnected(connected);
    }
    return ownWrites?.follow(connected);
  };
  bus.onConnection((state) => {
    if (attached) void follow(state === 'connected');
  });
  const types = [...new Set(caches.flatMap(({ declaration }) => declaration.invalidatedBy))];
  const outdated = ownWrites?.attach({ bus, types, apply: (event) => settle(caches, event) });
  const subscription = await bus.subscribe({
    queue: { kind: 'replica', service },
    types: [...types, ...(outdated?.types ?? [])],
    handle: async (event) => {
      if (outdated?.types.includes(event.type)) return outdated.handle(event);
      invalidate(caches, event);
    },
  });
  // A value that was loaded before the queue existed may have missed its event.
  await follow(bus.isConnected());
  return {
    close: async () => {
      attached = false;
      for (const cache of caches) cache.setConnected(false);
      await ownWrites?.close();
      await subscription.close();
    },
  };
}

function invalidate(caches: readonly InvalidatedCache[], event: Envelope): void {
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
}

async function settle(caches: readonly InvalidatedCache[], event: Envelope): Promise<void> {
  const concerned = caches.filter(({ declaration }) => declaration.invalidatedBy.some((type) => type === event.type));
  invalidate(concerned, event);
  await Promise.all(concerned.map((cache) => cache.settled?.()));
}
