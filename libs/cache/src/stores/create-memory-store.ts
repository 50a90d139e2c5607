import type { Clock } from '@lintel/timing';
import { ElapsingKeys } from './elapsing-keys.ts';
import type { KeyValueStore } from './key-value-store.ts';

/**
 * Keys in the memory of this process; for standalone mode and tests. Nothing outlives the process.
 *
 * @param options.clock measures the age of keys: a monotonic clock such as `monotonicClock`
 */
export function createMemoryStore({ clock }: { readonly clock: Clock }): KeyValueStore {
  const values = new ElapsingKeys<{ text: string }>(clock);
  const sets = new ElapsingKeys<Set<string>>(clock);
  /** The members of each key, with their expiry times. */
  const lists = new ElapsingKeys<Map<string, number>>(clock);
  const get = async (key: string): Promise<string | undefined> => values.find(key)?.value.text;
  return {
    get,
    getMany: (keys) => Promise.all(keys.map(get)),
    async set(key, text, ttlMs) {
      values.keep(key, { text }, ttlMs);
    },
    async delete(...keys) {
      for (const entries of [values, sets, lists]) for (const key of keys) entries.drop(key);
    },
    async increment(key, ttlMs) {
      const { value } = values.find(key) ?? values.keep(key, { text: '0' }, ttlMs);
      const count = Number(value.text) + 1;
      value.text = String(count);
      return count;
    },
    async addToSet(key, member, ttlMs) {
      const { value, leftMs } = sets.find(key) ?? { value: new Set<string>(), leftMs: 0 };
      value.add(member);
      if (leftMs < ttlMs) sets.keep(key, value, ttlMs);
    },
    async removeFromSet(key, ...members) {
      const set = sets.find(key)?.value;
      for (const member of members) set?.delete(member);
      if (set?.size === 0) sets.drop(key);
    },
    membersOf: async (key) => [...(sets.find(key)?.value ?? [])],
    async addToBoundedList(key, member, ttlMs, max) {
      const nowMs = clock.now();
      const { value: list, leftMs } = lists.find(key) ?? { value: new Map<string, number>(), leftMs: 0 };
      if (list.size >= max) for (const [each, endsMs] of list) if (endsMs <= nowMs) list.delete(each);
      const ended = [...list]
        .sort(([, one], [, other]) => one - other)
        .slice(0, Math.max(0, list.size + 1 - max))
        .map(([each]) => each);
      for (const each of ended) list.delete(each);
      list.set(member, nowMs + ttlMs);
      if (leftMs < ttlMs) lists.keep(key, list, ttlMs);
      return ended;
    },
    async removeFromBoundedList(key, member) {
      lists.find(key)?.value.delete(member);
    },
    async assertReady() {},
    async close() {
      for (const entries of [values, sets, lists]) entries.clear();
    },
  };
}
