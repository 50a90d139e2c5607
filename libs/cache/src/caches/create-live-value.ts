import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '@lintel/contracts';
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
  const held = new HeldValue(options, await loadFirst(options));
  held.schedule();
  return held;
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

class HeldValue<V> implements LiveValue<V> {
  readonly declaration: CacheDeclaration;
  readonly meter: CacheMeter;
  readonly #options: LiveValueOptions<V>;
  readonly #maxStalenessMs: number;
  #loaded: Loaded<V>;
  #connected = false;
  /** Until then every change was received as an event. */
  #connectedUntilMs = Number.NEGATIVE_INFINITY;
  #closed = false;
  #retryMs = FIRST_RETRY_MS;
  #timer: NodeJS.Timeout | undefined;
  /** Loads run one after the other, so that an older value never replaces a newer one. */
  #loading: Promise<void> = Promise.resolve();
  #isQueued = false;
  /** The load that began, or will begin, after the last event. */
  #refreshing: Promise<void> = Promise.resolve();

  constructor(options: LiveValueOptions<V>, loaded: Loaded<V>) {
    this.declaration = options.declaration;
    this.#options = options;
    this.#maxStalenessMs = stalenessOf(options);
    this.#loaded = loaded;
    this.meter = new CacheMeter(options.declaration.name, {
      entries: () => 1,
      oldestAgeMs: () => options.clock.now() - this.#loaded.atMs,
    });
    this.meter.misses = 1;
  }

  current(): V {
    // While the connection existed, every change was received: the value was current when the connection was lost.
    const trueAtMs = this.#connected ? this.#loaded.atMs : Math.max(this.#loaded.atMs, this.#connectedUntilMs);
    if (this.#options.clock.now() - trueAtMs > this.#bound())
      throw new PlatformError('DATA_UNAVAILABLE', `The ${this.declaration.name} cannot be read at the moment`);
    this.meter.hits += 1;
    return this.#loaded.value;
  }

  reload(): Promise<void> {
    const next = this.#loading.then(async () => {
      this.meter.misses += 1;
      this.#loaded = await loadOnce(this.#options);
    });
    this.#loading = next.catch(() => undefined);
    return next;
  }

  handleEvent(event: Envelope): void {
    const { invalidatedBy } = this.declaration;
    if (!(invalidatedBy as readonly string[]).includes(event.type)) return;
    this.meter.countInvalidation(event.type);
    this.#refresh();
  }

  dropAll(): void {
    this.#refresh();
  }

  settled(): Promise<void> {
    return this.#refreshing;
  }

  setConnected(connected: boolean): void {
    const isLost = this.#connected && !connected;
    if (connected && !this.#connected) this.meter.countInvalidation('connection');
    if (isLost && this.#isFresh()) this.#connectedUntilMs = this.#options.clock.now();
    this.#connected = connected;
    if (isLost) this.#refresh();
    else this.schedule();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  schedule(delayMs = this.#bound() / 2): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = setTimeout(() => this.#refresh(), delayMs).unref();
  }

  #bound(): number {
    // Without a connection the process loads more often instead: a load returns the current value, as after an event.
    return this.#connected ? this.#maxStalenessMs : Math.min(this.#maxStalenessMs, 2 * DISCONNECTED_STALENESS_MS);
  }

  #isFresh(): boolean {
    return this.#options.clock.now() - this.#loaded.atMs <= this.#bound();
  }

  /** Loads in the background. An event that arrives while a load is queued starts no further one. */
  #refresh(): void {
    if (this.#isQueued || this.#closed) return;
    this.#isQueued = true;
    const started = this.#loading.then(() => {
      this.#isQueued = false;
    });
    this.#loading = started;
    this.#refreshing = this.reload();
    this.#refreshing.then(
      () => {
        this.#retryMs = FIRST_RETRY_MS;
        this.schedule();
      },
      (error: unknown) => {
        // Once in an outage, however many attempts it has.
        if (this.#retryMs === FIRST_RETRY_MS)
          this.#options.logger.warn(
            { err: error, name: this.declaration.name },
            'loading failed, other attempts follow',
          );
        this.schedule(this.#retryMs);
        this.#retryMs = Math.min(this.#retryMs * 2, this.#bound() / 4);
      },
    );
  }
}
