import { createHash } from 'node:crypto';
import type { KeyValueStore } from '@lintel/cache';

/** Remembers which states, tokens and assertions were used, for all replicas. */
export interface SingleUse {
  /** Whether a value is used for the first time. */
  claim(kind: string, value: string): Promise<boolean>;
  /** Does the work of a value once: false if it was used before. After work that fails, the value may be used again. */
  runOnce(kind: string, value: string, work: () => Promise<unknown>): Promise<boolean>;
}

/** Longer than a login request or a logout token is valid. */
const TTL_MS = 15 * 60_000;

export function createSingleUse(keyValues: Pick<KeyValueStore, 'increment' | 'delete'>): SingleUse {
  const claim = async (kind: string, value: string): Promise<boolean> =>
    (await keyValues.increment(useKey(kind, value), TTL_MS)) === 1;
  return {
    claim,
    async runOnce(kind, value, work) {
      if (!(await claim(kind, value))) return false;
      try {
        await work();
      } catch (error) {
        await keyValues.delete(useKey(kind, value));
        throw error;
      }
      return true;
    },
  };
}

const useKey = (kind: string, value: string): string =>
  `federation:${kind}:${createHash('sha256').update(value).digest('base64url')}`;
