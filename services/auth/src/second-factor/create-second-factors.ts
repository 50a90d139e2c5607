import type { KeyValueStore } from '@lintel/cache';
import type { Database } from '@lintel/persistence';
import type { SecurityLog } from '@lintel/telemetry';
import type { AttemptGuard } from '../attempts/attempt-guard.ts';
import type { AuthConfig } from '../config.ts';
import { createTextCipher, type TextCipher } from '../keys/text-cipher.ts';
import type { Clock, IdSource } from '../ports.ts';
import { createFactorChecks, type FactorChecks } from './factors/check-code.ts';
import { createFactorStore, type FactorStore } from './factors/factor-store.ts';
import { createOwnFactors, type OwnFactors } from './factors/own-factors.ts';
import { recoveryCodeDigests } from './factors/recovery-codes.ts';
import { createPasskeys, type Passkeys } from './passkeys/create-passkeys.ts';
import { createPasskeyStore } from './passkeys/passkey-store.ts';
import { createRequirement, type RequiredAcr } from './requirement.ts';

export interface SecondFactorsDeps {
  readonly config: Pick<AuthConfig, 'secondFactor' | 'keyEncryptionSecret' | 'bruteForce'> & {
    readonly platform: Pick<AuthConfig['platform'], 'issuer'>;
  };
  readonly database: Database;
  readonly keyValues: Pick<KeyValueStore, 'increment' | 'delete'>;
  /** Limits guesses per user and address. */
  readonly guard: AttemptGuard;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly security: SecurityLog;
}

/** The second factors of users, for the rest of the service. */
export interface SecondFactors {
  readonly requiredAcr: RequiredAcr;
  readonly factors: FactorStore;
  readonly own: OwnFactors;
  readonly checks: FactorChecks;
  /** Undefined unless `svc.auth.passkeys` is set. */
  readonly passkeys: Passkeys | undefined;
  /** Encrypts what belongs to factors. */
  readonly cipher: TextCipher;
}

export function createSecondFactors(deps: SecondFactorsDeps): SecondFactors {
  const { config, database } = deps;
  const { keyEncryptionSecret: secret, secondFactor: settings } = config;
  const cipher = createTextCipher(secret, 'second factors');
  const issuerName = settings.issuerName ?? new URL(config.platform.issuer).hostname;
  const factors = createFactorStore(database);
  const common = { ...deps, factors, cipher, recoveryDigest: recoveryCodeDigests(secret) };
  return {
    requiredAcr: createRequirement({ ...settings, factors }),
    factors,
    own: createOwnFactors({ ...common, issuerName }),
    passkeys: settings.passkeys
      ? createPasskeys({
          ...deps,
          passkeys: createPasskeyStore(database),
          secret,
          issuer: config.platform.issuer,
          issuerName,
        })
      : undefined,
    checks: createFactorChecks({ ...common, isLimited: config.bruteForce.enabled }),
    cipher,
  };
}
