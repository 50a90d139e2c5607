import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(4_096);
let used = pool.length;

/**
 * Random bytes, cryptographically strong, as hexadecimal digits. Taken from a pool: asking the system for a
 * few bytes costs as much as for thousands.
 */
export function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}
