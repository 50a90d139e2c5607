import type { KeyValueStore } from '@lintel/cache';
import type { SecurityLog } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { AttemptGuard } from '../../attempts/attempt-guard.ts';
import type { TextCipher } from '../../login-ports.ts';
import type { FactorStore } from './factor-store.ts';
import { recoveryCodeOf } from './recovery-codes.ts';
import { totpStep } from './totp.ts';

/** A user who has passed the first factor, or has a token. */
export interface FactorUser {
  readonly id: string;
  readonly username: string;
  readonly address: string;
}

export type FactorVerdict = 'right' | 'wrong' | 'locked';

export interface FactorChecks {
  /** Checks a code of an app or a recovery code. Each code is accepted once. */
  checkCode(user: FactorUser, code: string): Promise<FactorVerdict>;
  /** Counts an attempt with any factor of a user against the limits, and makes it if it is allowed. */
  attempt(user: FactorUser, work: () => Promise<boolean>): Promise<FactorVerdict>;
}

export interface FactorChecksDeps {
  readonly factors: FactorStore;
  readonly guard: AttemptGuard;
  /** `svc.security.bruteforceprotection.enabled` */
  readonly isLimited: boolean;
  readonly keyValues: Pick<KeyValueStore, 'increment' | 'delete'>;
  readonly cipher: TextCipher;
  readonly recoveryDigest: (userId: string, code: string) => string;
  readonly clock: Clock;
  readonly security: SecurityLog;
}

/** Attempts of one user since the last success, from all addresses: three of a million codes are right at a time. */
const LIMITS = [
  { name: 'short', max: 10, periodMs: 10 * 60_000 },
  { name: 'long', max: 100, periodMs: 24 * 3_600_000 },
] as const;

const limitKey = (name: string, userId: string): string => `second-factor:attempts:${name}:${userId}`;

/** The limits hold although the password is known: an attacker who tries codes has it. */
export function createFactorChecks(deps: FactorChecksDeps): FactorChecks {
  const { factors, guard, isLimited, keyValues, cipher, recoveryDigest, clock, security } = deps;

  /** Counted before the attempt, so that concurrent ones cannot exceed the limits. */
  async function isBelowLimits(userId: string): Promise<boolean> {
    if (!isLimited) return true;
    for (const { name, max, periodMs } of LIMITS)
      if ((await keyValues.increment(limitKey(name, userId), periodMs)) > max) return false;
    return true;
  }

  /** The code of an app that was set up twice counts as used for both. */
  async function isTotp({ id }: FactorUser, code: string): Promise<boolean> {
    const uses: boolean[] = [];
    for (const factor of await factors.totpOf(id)) {
      const secret = cipher.decrypt(factor.secretEncrypted, factor.id);
      const step = secret === undefined ? undefined : totpStep(secret, code, clock.now());
      if (step !== undefined) uses.push(await factors.useStep(factor.id, step));
    }
    return uses.length > 0 && uses.every((isFirst) => isFirst);
  }

  async function isRecoveryCode({ id, username, address }: FactorUser, code: string): Promise<boolean> {
    if (!(await factors.useRecoveryCode(id, recoveryDigest(id, code)))) return false;
    security.record('recovery-code.used', { username, address, amount: await factors.countRecoveryCodes(id) });
    return true;
  }

  async function attempt(user: FactorUser, work: () => Promise<boolean>): Promise<FactorVerdict> {
    const { id, username, address } = user;
    const result = await guard.run<FactorVerdict>({ name: username, address }, async () => {
      if (!(await isBelowLimits(id))) return { kind: 'refused', value: 'locked' };
      return (await work()) ? { kind: 'right', value: 'right' } : { kind: 'wrong', value: 'wrong' };
    });
    const verdict = result.kind === 'made' ? result.value : 'locked';
    if (verdict === 'right') await keyValues.delete(...LIMITS.map(({ name }) => limitKey(name, id)));
    else security.record('second-factor.failed', { username, address, reason: verdict });
    if (result.kind === 'made' && result.beginsBlock) security.record('second-factor.blocked', { username, address });
    return verdict;
  }

  return {
    attempt,
    checkCode: (user, text) =>
      attempt(user, async () => {
        const code = text.replace(/\s/g, '');
        if (/^\d{6}$/.test(code)) return isTotp(user, code);
        const recovery = recoveryCodeOf(text);
        return recovery !== undefined && isRecoveryCode(user, recovery);
      }),
  };
}
