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

/** Stops whoever tries passwords: counts attempts per login and address (contract-security-core.md §1.4). */
export interface LoginGuard {
  /** Counts an attempt before its work is done; false where the login is blocked. */
  admit(username: string, address: string): Promise<boolean>;
  /** The attempt was refused for its password. */
  failed(username: string, address: string): Promise<void>;
  /** The attempt was none of somebody who tries. */
  succeeded(username: string, address: string): Promise<void>;
}

const OPEN: LoginGuard = {
  admit: async () => true,
  failed: async () => {},
  succeeded: async () => {},
};

/**
 * A guard whose counters all replicas share. The last failure that is allowed begins a block of `blockMs`,
 * during which even the right password is refused; failures are forgotten after the same time. Attempts
 * count from their beginning, so that many at the same time are no way around it.
 */
export function createLoginGuard({ keyValues, isEnabled, maxAttempts, blockMs }: LoginGuardOptions): LoginGuard {
  if (!isEnabled) return OPEN;
  return {
    async admit(username, address) {
      if ((await keyValues.get(keyOf('block', username, address))) !== undefined) return false;
      return (await keyValues.increment(keyOf('attempts', username, address), blockMs)) <= maxAttempts;
    },
    async failed(username, address) {
      const failures = await keyValues.increment(keyOf('failures', username, address), blockMs);
      if (failures < maxAttempts) return;
      await keyValues.set(keyOf('block', username, address), '1', blockMs);
      await forget(username, address);
    },
    succeeded: forget,
  };

  function forget(username: string, address: string): Promise<void> {
    return keyValues.delete(keyOf('attempts', username, address), keyOf('failures', username, address));
  }
}

/** The store never sees what somebody typed, which may be a password in the wrong field. */
const keyOf = (kind: string, username: string, address: string): string =>
  `login:${kind}:${createHash('sha256').update(`${username}\n${address}`).digest('base64url')}`;
