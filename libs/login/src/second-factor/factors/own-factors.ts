import type { SecurityLog } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { IdSource, TextCipher } from '../../login-ports.ts';
import type { FactorUser } from './check-code.ts';
import type { FactorStore } from './factor-store.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { newTotpSecret, totpStep, totpUri } from './totp.ts';

/** A secret for an authenticator app that no code has confirmed yet. */
export interface TotpOffer {
  readonly secret: string;
  readonly uri: string;
}

/** What a user can do with the own factors. */
export interface OwnFactors {
  offerTotp(username: string): TotpOffer;
  /** The `otpauth` URI of a secret that was offered. */
  uriOf(secret: string, username: string): string;
  /**
   * Adds an app whose code proves that it has the secret.
   *
   * @param onlyFirst refuses if the user has a factor by now
   */
  confirmTotp(
    user: FactorUser,
    offer: { readonly secret: string; readonly code: string; readonly name: string },
    onlyFirst?: boolean,
  ): Promise<{ readonly kind: 'added'; readonly id: string } | { readonly kind: 'wrong-code' | 'too-many' }>;
  /** New recovery codes, which replace all former ones; nothing can show them again. */
  renewRecoveryCodes(user: FactorUser): Promise<readonly string[]>;
}

export interface OwnFactorsDeps {
  readonly factors: FactorStore;
  readonly cipher: TextCipher;
  readonly recoveryDigest: (userId: string, code: string) => string;
  readonly issuerName: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly security: SecurityLog;
}

export function createOwnFactors(deps: OwnFactorsDeps): OwnFactors {
  const { factors, cipher, recoveryDigest, issuerName, clock, ids, security } = deps;
  const uriOf = (secret: string, username: string): string => totpUri(secret, issuerName, username);
  return {
    uriOf,
    offerTotp(username) {
      const secret = newTotpSecret();
      return { secret, uri: uriOf(secret, username) };
    },
    async confirmTotp({ id: userId, username, address }, { secret, code, name }, onlyFirst) {
      const step = totpStep(secret, code.replace(/\s/g, ''), clock.now());
      if (step === undefined) return { kind: 'wrong-code' };
      const id = ids.next();
      const secretEncrypted = cipher.encrypt(secret, id);
      // The code of the confirmation counts as used.
      if (!(await factors.addTotp({ id, userId, name, secretEncrypted, step }, onlyFirst))) return { kind: 'too-many' };
      security.record('second-factor.added', { username, address, reason: 'totp' });
      return { kind: 'added', id };
    },
    async renewRecoveryCodes({ id, username, address }) {
      const codes = newRecoveryCodes();
      await factors.replaceRecoveryCodes(
        id,
        codes.map((code) => recoveryDigest(id, code)),
      );
      security.record('recovery-codes.replaced', { username, address });
      return codes;
    },
  };
}
