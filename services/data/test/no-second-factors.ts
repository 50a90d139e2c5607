import type { SecondFactorDirectory } from '../src/user-session/second-factors.ts';

/** An auth service in which no user has a second factor. */
export const NO_SECOND_FACTORS: SecondFactorDirectory = {
  list: async () => ({ factors: [], recoveryCodes: 0 }),
  offer: async () => ({ key: 'KEY', uri: 'otpauth://totp/x', offer: 'offer' }),
  confirm: async () => ({ outcome: 'expired' }),
  remove: async () => 0,
  renewRecoveryCodes: async () => null,
};
