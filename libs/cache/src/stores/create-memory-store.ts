import type { Clock } from '@lintel/timing';
import type { KeyValueStore } from './key-value-store.ts';

interface Held<V> {
  readonly value: V;
  readonly endsMs: number;
}

/** Number of writes after which expired entries are searched and removed. */
const WRITES_PER_SWEEP = 1_000;

/**
 * Keys in the memory of this process; for standalone mode and tests. Nothing outlives the process.
 *
 * @param options.clock measures the age of keys: a monotonic clock such as `monotonicClock`
 */
export function createMemoryStore({ clock }: { readonly clock: Clock }): KeyValueStore {
  return new MemoryStore(clock);
}

class MemoryStore implements KeyValueStore {
  private readonly clock: Clock;
  private readonly values = new Map<string, Held<string>>();
  private readonly sets = new Map<string, Held<Set<string>>>();
  /** The members of each key, with their expiry times. */
  private readonly lists = new Map<string, Held<Map<string, number>>>();
  private writes = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  async get(key: string): Promise<string | undefined> {
    return this.live(this.values, key)?.value;
  }

  async getMany(keys: readonly string[]): Promise<readonly (string | undefined)[]> {
    return keys.map((key) => this.live(this.values, key)?.value);
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    this.countWrite();
    this.values.set(key, { value, endsMs: this.clock.now() + ttlMs });
  }

  async delete(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.values.delete(key);
      this.sets.delete(key);
      this.lists.delete(key);
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
    this.sets.set(key, { value: (held?.value ?? new Set()).add(member), endsMs });
  }

  async removeFromSet(key: string, ...members: readonly string[]): Promise<void> {
    const held = this.live(this.sets, key);
    if (held === undefined) return;
    for (const member of members) held.value.delete(member);
    if (held.value.size === 0) this.sets.delete(key);
  }

  async membersOf(key: string): Promise<readonly string[]> {
    return [...(this.live(this.sets, key)?.value ?? [])];
  }

  async addToBoundedList(key: string, member: string, ttlMs: number, max: number): Promise<readonly string[]> {
    this.countWrite();
    const nowMs = this.clock.now();
    const held = this.live(this.lists, key);
    const list = held?.value ?? new Map<string, number>();
    if (list.size >= max) for (const [each, endsMs] of list) if (endsMs <= nowMs) list.delete(each);
    const ended: string[] = [];
    while (list.size >= max) {
      const first = firstToEnd(list);
      list.delete(first);
      ended.push(first);
    }
    list.set(member, nowMs + ttlMs);
    this.lists.set(key, { value: list, endsMs: Math.max(held?.endsMs ?? 0, nowMs + ttlMs) });
    return ended;
  }

  async removeFromBoundedList(key: string, member: string): Promise<void> {
    this.live(this.lists, key)?.value.delete(member);
  }

  async isReady(): Promise<boolean> {
    return true;
  }

  async assertReady(): Promise<void> {}

  async close(): Promise<void> {
    this.values.clear();
    this.sets.clear();
    this.lists.clear();
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
    for (const entries of [this.values, this.sets, this.lists])
      for (const key of [...entries.keys()]) this.live<unknown>(entries, key);
  }
}

function firstToEnd(list: ReadonlyMap<string, number>): string {
  let first = '';
  let firstMs = Number.POSITIVE_INFINITY;
  for (const [member, endsMs] of list)
    if (endsMs < firstMs) {
      first = member;
      firstMs = endsMs;
    }
  return first;
}
