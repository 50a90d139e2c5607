/** Chooses at random; the same seed gives the same choices. */
export interface Random {
  below(bound: number): number;
  chance(probability: number): boolean;
  one<T>(items: readonly T[]): T;
  some<T>(items: readonly T[], probability: number): readonly T[];
}

/** mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const random: Random = {
    below: (bound) => Math.floor(next() * bound),
    chance: (probability) => next() < probability,
    one(items) {
      const item = items[random.below(items.length)];
      if (item === undefined) throw new Error('There is nothing to choose from');
      return item;
    },
    some: (items, probability) => items.filter(() => random.chance(probability)),
  };
  return random;
}
