import type { Clock, IdSource } from '../ports.ts';

/** The counter starts in the lower half, so that many ids fit into one millisecond. */
const COUNTER_START_MASK = 0x7ff;
const COUNTER_MAX = 0xfff;

const hex = (value: number | bigint, digits: number): string => value.toString(16).padStart(digits, '0');

/**
 * UUIDs of version 7 (RFC 9562 §5.7, method 1 of §6.2): a millisecond timestamp, a counter that rises
 * within the millisecond, and 62 random bits. New rows land side by side in their index.
 *
 * @param randomBytes cryptographically strong
 */
export function createIdSource(clock: Clock, randomBytes: (size: number) => Uint8Array): IdSource {
  let lastMs = 0;
  let counter = 0;
  return {
    next() {
      const random = randomBytes(10);
      const nowMs = clock.now();
      if (nowMs > lastMs) {
        lastMs = nowMs;
        counter = (((random[8] ?? 0) << 8) | (random[9] ?? 0)) & COUNTER_START_MASK;
      } else {
        counter += 1;
        if (counter > COUNTER_MAX) {
          // The clock did not move on, or went back: borrow the next millisecond.
          lastMs += 1;
          counter = 0;
        }
      }
      const time = hex(BigInt(lastMs), 12);
      const tail = Array.from(random.subarray(0, 8), (byte, at) => hex(at === 0 ? (byte & 0x3f) | 0x80 : byte, 2)).join(
        '',
      );
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(counter, 3)}-${tail.slice(0, 4)}-${tail.slice(4)}`;
    },
  };
}
