import { type Counter, type Metrics, NO_METRICS } from '@lintel/telemetry';

export interface CacheStatistics {
  /** Values returned from memory. */
  readonly hits: number;
  /** Values that had to be loaded. */
  readonly misses: number;
  /** Entries dropped for an event, a reconnection or want of room. */
  readonly evictions: number;
  readonly entries: number;
}

/** The values that a meter reads when metrics are collected. */
export interface MeteredEntries {
  entries(): number;
  /** Age of the oldest entry, milliseconds; absent if entries never become stale. */
  readonly oldestAgeMs?: () => number;
}

/** The metrics of one cache: the same for every cache, with the label `cache`. */
export class CacheMeter {
  hits = 0;
  misses = 0;
  evictions = 0;
  readonly #name: string;
  readonly #observed: MeteredEntries;
  readonly #invalidations = new Map<string, Counter>();
  #metrics: Metrics = NO_METRICS;

  constructor(name: string, observed: MeteredEntries) {
    this.#name = name;
    this.#observed = observed;
  }

  /** Begins to report. */
  reportTo(metrics: Metrics): void {
    this.#metrics = metrics;
    this.#invalidations.clear();
    const labels = { cache: this.#name };
    metrics.observe('lintel.cache.hits', () => this.hits, labels);
    metrics.observe('lintel.cache.misses', () => this.misses, labels);
    metrics.observe('lintel.cache.evictions', () => this.evictions, labels);
    metrics.observe('lintel.cache.entries', () => this.#observed.entries(), labels);
    const { oldestAgeMs } = this.#observed;
    if (oldestAgeMs !== undefined) metrics.observe('lintel.cache.age', () => oldestAgeMs() / 1_000, labels);
  }

  /** @param cause type of the event, or `connection` if all entries were dropped because events may have been missed */
  countInvalidation(cause: string): void {
    let counter = this.#invalidations.get(cause);
    if (counter === undefined) {
      counter = this.#metrics.counter('lintel.cache.invalidations', { cache: this.#name, event: cause });
      this.#invalidations.set(cause, counter);
    }
    counter.add(1);
  }

  statistics(): CacheStatistics {
    const { hits, misses, evictions } = this;
    return { hits, misses, evictions, entries: this.#observed.entries() };
  }
}
