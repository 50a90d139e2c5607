import type { LoginPorts } from '../login-deps.ts';
import type { LoginConfig } from '../login-settings.ts';
import { createFactorChecks } from './factors/check-code.ts';
import { createFactorStore } from './factors/factor-store.ts';
import { createOwnFactors } from './factors/own-factors.ts';
import { recoveryCodeDigests } from './factors/recovery-codes.ts';
import { createPasskeys } from './passkeys/create-passkeys.ts';
import { createPasskeyStore } from './passkeys/passkey-store.ts';
import { createRequirement } from './requirement.ts';

export function createSecondFactors(config: LoginConfig, ports: LoginPorts) {
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
    /** Undefined unless `svc.auth.passkeys` is set. */
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
    /** Encrypts what belongs to factors. */
    cipher,
  };
}

/** The second factors of users, for the rest of the service. */
export type SecondFactors = ReturnType<typeof createSecondFactors>;
