import type { LoginPorts } from '../login-deps.ts';
import type { TextCipher } from '../login-ports.ts';
import type { LoginConfig } from '../login-settings.ts';
import { createFactorChecks, type FactorChecks } from './factors/check-code.ts';
import { createFactorStore, type FactorStore } from './factors/factor-store.ts';
import { createOwnFactors, type OwnFactors } from './factors/own-factors.ts';
import { recoveryCodeDigests } from './factors/recovery-codes.ts';
import { createPasskeys, type Passkeys } from './passkeys/create-passkeys.ts';
import { createPasskeyStore } from './passkeys/passkey-store.ts';
import { createRequirement, type RequiredAcr } from './requirement.ts';

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

export function createSecondFactors(config: LoginConfig, ports: LoginPorts): SecondFactors {
  const { database, factorGuard: guard } = ports;
  const { keyEncryptionSecret: secret, secondFactor: settings } = config;
  const cipher = ports.cipherFor('second factors');
  const issuerName = new URL(config.platform.issuer).hostname;
  const factors = createFactorStore(database);
  const common = { ...ports, guard, factors, cipher, recoveryDigest: recoveryCodeDigests(secret) };
  return {
    requiredAcr: createRequirement({ ...settings, factors }),
    factors,
    own: createOwnFactors({ ...common, issuerName }),
    passkeys: settings.passkeys
      ? createPasskeys({
          ...ports,
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
