import { setTimeout as sleep } from 'node:timers/promises';
import { isStartError, PlatformError } from '@lintel/errors';
import type { Logger } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { CacheDeclaration } from './cache-declaration.ts';
import { DISCONNECTED_STALENESS_MS, stalenessOf } from './cache-entries.ts';
import { CacheMeter } from './cache-meter.ts';
import type { InvalidatedCache } from './invalidated-cache.ts';

export interface LiveValueOptions<V> {
  readonly declaration: CacheDeclaration;
  /** Reads the whole value. */
  readonly load: () => Promise<V>;
  /** Longest time without a successful load while events arrive (`svc.cache.max-staleness`). */
  readonly maxStalenessMs?: number;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** How long the first load may fail and follow again: processes that start together wait for one another. */
  readonly startWithinMs?: number;
}

/** One value that everything in the process reads, kept true by events. */
export interface LiveValue<V> extends InvalidatedCache {
  /** The value, returned synchronously: an operation reads it once and uses it until its end. */
  current(): V;
  /** Loads the value again. @throws the error of `load`; the old value stays */
  reload(): Promise<void>;
  /** Ends the loading in the background. */
  close(): void;
}

const FIRST_RETRY_MS = 100;
const START_RETRY_MS = 500;

/**
 * Loads a value once, and again after every event that concerns it, at the latest after half of its maximum age.
 * Unlike `createCache` it returns the value synchronously. A value that could not be refreshed for too long is not
 * returned any more.
 *
 * @throws the error of the first load, after `startWithinMs` if it is given
 */
export async function createLiveValue<V>(options: LiveValueOptions<V>): Promise<LiveValue<V>> {
  const { declaration, clock, logger } = options;
  const maxStalenessMs = stalenessOf(options);
  let loaded = await loadFirst(options);
  let isConnected = false;
  /** Until then every change was received as an event. */
  let connectedUntilMs = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  let retryMs = FIRST_RETRY_MS;
  let timer: NodeJS.Timeout | undefined;
  /** Loads run one after the other, so that an older value never replaces a newer one. */
  let loading: Promise<void> = Promise.resolve();
  let isQueued = false;
  /** The load that began, or will begin, after the last event. */
  let refreshing: Promise<void> = Promise.resolve();
  const meter = new CacheMeter(declaration.name, {
    entries: () => 1,
    oldestAgeMs: () => clock.now() - loaded.atMs,
  });
  meter.misses = 1;

  // Without a connection the process loads more often instead: a load returns the current value, as after an event.
  const bound = (): number => (isConnected ? maxStalenessMs : Math.min(maxStalenessMs, 2 * DISCONNECTED_STALENESS_MS));

  function schedule(delayMs = bound() / 2): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(refresh, delayMs).unref();
  }

  function reload(): Promise<void> {
    const next = loading.then(async () => {
      meter.misses += 1;
      loaded = await loadOnce(options);
    });
    loading = next.catch(() => undefined);
    return next;
  }

  /** Loads in the background. An event that arrives while a load is queued starts no further one. */
  function refresh(): void {
    if (isQueued || isClosed) return;
    isQueued = true;
    loading = loading.then(() => {
      isQueued = false;
    });
    refreshing = reload();
    refreshing.then(
      () => {
        retryMs = FIRST_RETRY_MS;
        schedule();
      },
      (err: unknown) => {
        // Once in an outage, however many attempts it has.
        if (retryMs === FIRST_RETRY_MS)
          logger.warn({ err, name: declaration.name }, 'loading failed, other attempts follow');
        schedule(retryMs);
        retryMs = Math.min(retryMs * 2, bound() / 4);
      },
    );
  }

  schedule();
  return {
    declaration,
    meter,
    current() {
      // While the connection existed, every change was received: the value was current when the connection was lost.
      const trueAtMs = isConnected ? loaded.atMs : Math.max(loaded.atMs, connectedUntilMs);
      if (clock.now() - trueAtMs > bound())
        throw new PlatformError('DATA_UNAVAILABLE', `The ${declaration.name} cannot be read at the moment`);
      meter.hits += 1;
      return loaded.value;
    },
    reload,
    handleEvent({ type }) {
      if (!(declaration.invalidatedBy as readonly string[]).includes(type)) return;
      meter.countInvalidation(type);
      refresh();
    },
    dropAll: refresh,
    settled: () => refreshing,
    setConnected(connected) {
      const isLost = isConnected && !connected;
      if (connected && !isConnected) meter.countInvalidation('connection');
      if (isLost && clock.now() - loaded.atMs <= bound()) connectedUntilMs = clock.now();
      isConnected = connected;
      if (isLost) refresh();
      else schedule();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

interface Loaded<V> {
  readonly value: V;
  readonly atMs: number;
}

async function loadOnce<V>({ load, clock }: LiveValueOptions<V>): Promise<Loaded<V>> {
  // Aged from before the load: what changes while it runs may or may not be in the value.
  const atMs = clock.now();
  return { value: await load(), atMs };
}

async function loadFirst<V>(options: LiveValueOptions<V>): Promise<Loaded<V>> {
  const { clock, startWithinMs = 0, logger, declaration } = options;
  const endMs = clock.now() + startWithinMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await loadOnce(options);
    } catch (err) {
      if (clock.now() >= endMs) throw err;
      const cause = isStartError(err) ? { reason: err.message } : { err };
      if (attempt === 0) logger.warn({ name: declaration.name, ...cause }, 'cannot be read yet, other attempts follow');
      await sleep(START_RETRY_MS);
    }
  }
}
