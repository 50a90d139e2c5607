import { Buffer } from 'node:buffer';
import type { IdSource } from '@lintel/reading';
import type { Clock } from '@lintel/timing';

/** The counter starts in the lower half, so that many ids fit into one millisecond. */
const COUNTER_START_MASK = 0x7ff;
const COUNTER_MAX = 0xfff;

/** Random bytes of one id: eight for its tail, two for the counter. */
const ID_BYTES = 10;
/** Number of ids per call for random bytes: the system call takes as long for a few bytes as for thousands. */
const POOLED_IDS = 256;

/** Sets the variant: the two highest bits of the tail are 10. */
const VARIANT = ['8', '9', 'a', 'b'] as const;

/**
 * UUIDs of version 7 (RFC 9562 §5.7, method 1 of its section 6.2): a millisecond timestamp, a counter that rises
 * within the millisecond, and 62 random bits. New rows land side by side in their index.
 *
 * @param randomBytes cryptographically strong
 */
export function createIdSource(clock: Clock, randomBytes: (size: number) => Uint8Array): IdSource {
  let lastMs = 0;
  let counter = 0;
  let time = '';
  let pool = Buffer.alloc(0);
  let used = 0;
  const setTime = (ms: number): void => {
    lastMs = ms;
    const text = ms.toString(16).padStart(12, '0');
    time = `${text.slice(0, 8)}-${text.slice(8)}`;
  };
  return {
    next() {
      if (used >= pool.length) {
        pool = Buffer.from(randomBytes(ID_BYTES * POOLED_IDS));
        used = 0;
      }
      const at = used;
      used += ID_BYTES;
      const nowMs = clock.now();
      if (nowMs > lastMs) {
        setTime(nowMs);
        counter = pool.readUInt16BE(at + 8) & COUNTER_START_MASK;
      } else {
        counter += 1;
        if (counter > COUNTER_MAX) {
          // The clock did not advance, or went back: use the next millisecond.
          setTime(lastMs + 1);
          counter = 0;
        }
      }
      const tail = pool.toString('hex', at, at + 8);
      const variant = VARIANT[(pool[at] ?? 0) & 3] ?? '8';
      const count = counter.toString(16).padStart(3, '0');
      return `${time}-7${count}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`;
    },
  };
}
