import { randomFillSync } from 'node:crypto';

const POOL_IDS = 256;
const RANDOM_BYTES = 10;

/** UUIDs of version 7, as the data service makes them. */
export function createIdSource(): { next(): string } {
  const pool = Buffer.alloc(POOL_IDS * RANDOM_BYTES);
  let at = pool.length;
  return {
    next() {
      if (at >= pool.length) {
        randomFillSync(pool);
        at = 0;
      }
      const random = pool.toString('hex', at, at + RANDOM_BYTES);
      at += RANDOM_BYTES;
      const time = Date.now().toString(16).padStart(12, '0');
      return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
    },
  };
}
