import { SEED } from '@lintel/testkit/properties';

/** Set by `npm run test:long`: every fault lasts longer and comes again and again. */
export const IS_LONG = process.env['LINTEL_TEST_LONG'] === 'true';

const SHORT_MS = 2_500;
const LONG_MS = { min: 2_000, max: 15_000 };
const LONG_ROUNDS = 5;

/**
 * How long a fault lasts, once for each time that it is to be made: one short time, in the long form several of any
 * length, the same ones for the same seed.
 */
export function faultDurationsMs(): readonly number[] {
  if (!IS_LONG) return [SHORT_MS];
  const random = createRandom(SEED);
  return Array.from({ length: LONG_ROUNDS }, () => Math.round(LONG_MS.min + random() * (LONG_MS.max - LONG_MS.min)));
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
