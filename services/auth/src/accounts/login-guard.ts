import { createHash } from 'node:crypto';
import type { KeyValueStore } from '@lintel/cache';

export interface LoginGuardOptions {
  readonly keyValues: Pick<KeyValueStore, 'get' | 'set' | 'increment' | 'delete'>;
  /** `svc.security.bruteforceprotection.enabled` */
  readonly isEnabled: boolean;
  /** Failures after which a login is blocked. */
  readonly maxAttempts: number;
  readonly blockMs: number;
}

/** Stops whoever tries passwords: counts failures per login and address (contract-security-core.md §1.4). */
export interface LoginGuard {
  isBlocked(username: string, address: string): Promise<boolean>;
  failed(username: string, address: string): Promise<void>;
  succeeded(username: string, address: string): Promise<void>;
}

const OPEN: LoginGuard = {
  isBlocked: async () => false,
  failed: async () => {},
  succeeded: async () => {},
};

/**
 * A guard whose counters all replicas share. The last failure that is allowed begins a block of `blockMs`,
 * during which even the right password is refused; failures are forgotten after the same time.
 */
export function createLoginGuard({ keyValues, isEnabled, maxAttempts, blockMs }: LoginGuardOptions): LoginGuard {
  if (!isEnabled) return OPEN;
  return {
    isBlocked: async (username, address) => (await keyValues.get(keyOf('block', username, address))) !== undefined,
    async failed(username, address) {
      const failures = await keyValues.increment(keyOf('failures', username, address), blockMs);
      if (failures < maxAttempts) return;
      await keyValues.set(keyOf('block', username, address), '1', blockMs);
      await keyValues.delete(keyOf('failures', username, address));
    },
    succeeded: (username, address) => keyValues.delete(keyOf('failures', username, address)),
  };
}

/** The store never sees what somebody typed, which may be a password in the wrong field. */
const keyOf = (kind: string, username: string, address: string): string =>
  `login:${kind}:${createHash('sha256').update(`${username}\n${address}`).digest('base64url')}`;
