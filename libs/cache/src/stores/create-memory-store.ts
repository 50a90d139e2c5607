import type { Clock } from '../clock.ts';
import type { KeyValueStore } from './key-value-store.ts';

interface Held<V> {
  readonly value: V;
  readonly endsMs: number;
}

/** Writes between two looks for entries that ended without being read again. */
const WRITES_PER_SWEEP = 1_000;

/**
 * Keys in the memory of this process; for standalone mode and tests. Nothing outlives the process.
 *
 * @param options.clock tells how long a key has been there: one that never jumps, such as `steadyClock`
 */
export function createMemoryStore({ clock }: { readonly clock: Clock }): KeyValueStore {
  return new MemoryStore(clock);
}

class MemoryStore implements KeyValueStore {
  private readonly clock: Clock;
  private readonly values = new Map<string, Held<string>>();
  private readonly sets = new Map<string, Held<ReadonlySet<string>>>();
  private writes = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  async get(key: string): Promise<string | undefined> {
    return this.live(this.values, key)?.value;
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    this.countWrite();
    this.values.set(key, { value, endsMs: this.clock.now() + ttlMs });
  }

  async delete(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.values.delete(key);
      this.sets.delete(key);
    }
  }

  async increment(key: string, ttlMs: number): Promise<number> {
    this.countWrite();
    const held = this.live(this.values, key);
    const count = Number(held?.value ?? 0) + 1;
    this.values.set(key, { value: String(count), endsMs: held?.endsMs ?? this.clock.now() + ttlMs });
    return count;
  }

  async addToSet(key: string, member: string, ttlMs: number): Promise<void> {
    this.countWrite();
    const held = this.live(this.sets, key);
    const endsMs = Math.max(held?.endsMs ?? 0, this.clock.now() + ttlMs);
    this.sets.set(key, { value: new Set([...(held?.value ?? []), member]), endsMs });
  }

  async removeFromSet(key: string, member: string): Promise<void> {
    const held = this.live(this.sets, key);
    if (held === undefined) return;
    const left = new Set(held.value);
    left.delete(member);
    if (left.size === 0) this.sets.delete(key);
    else this.sets.set(key, { value: left, endsMs: held.endsMs });
  }

  async membersOf(key: string): Promise<readonly string[]> {
    return [...(this.live(this.sets, key)?.value ?? [])];
  }

  async isReady(): Promise<boolean> {
    return true;
  }

  async assertReady(): Promise<void> {}

  async close(): Promise<void> {
    this.values.clear();
    this.sets.clear();
  }

  private live<V>(entries: Map<string, Held<V>>, key: string): Held<V> | undefined {
    const held = entries.get(key);
    if (held === undefined || held.endsMs > this.clock.now()) return held;
    entries.delete(key);
    return undefined;
  }

  private countWrite(): void {
    this.writes += 1;
    if (this.writes % WRITES_PER_SWEEP !== 0) return;
    for (const entries of [this.values, this.sets])
      for (const key of [...entries.keys()]) this.live<unknown>(entries, key);
  }
}
