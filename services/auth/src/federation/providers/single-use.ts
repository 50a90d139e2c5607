import { createHash } from 'node:crypto';
import type { KeyValueStore } from '@lintel/cache';

/** Remembers which states, tokens and assertions were used, for all replicas. */
export interface SingleUse {
  /** Whether a value is used for the first time. */
  claim(kind: string, value: string): Promise<boolean>;
  /** The value may be used again. */
  release(kind: string, value: string): Promise<void>;
}

/** Longer than a login request or a logout token is valid. */
const TTL_MS = 15 * 60_000;

export const createSingleUse = (keyValues: Pick<KeyValueStore, 'increment' | 'delete'>): SingleUse => ({
  claim: async (kind, value) => (await keyValues.increment(useKey(kind, value), TTL_MS)) === 1,
  release: (kind, value) => keyValues.delete(useKey(kind, value)),
});

const useKey = (kind: string, value: string): string =>
  `federation:${kind}:${createHash('sha256').update(value).digest('base64url')}`;
