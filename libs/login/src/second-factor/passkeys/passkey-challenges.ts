import { createHmac } from 'node:crypto';
import type { KeyValueStore } from '@lintel/cache';

/** What a response of a passkey is for: one for a login is not valid as a second factor. */
export type PasskeyPurpose = 'login' | 'factor' | 'registration';

/** The challenges that passkeys sign. */
export interface PasskeyChallenges {
  /** Always the same for a purpose, an interaction and a user. */
  of(purpose: PasskeyPurpose, interactionId: string, userId?: string): Buffer;
  /** Whether no response to the challenge was accepted before, in any replica. */
  isFirstUse(challenge: Buffer): Promise<boolean>;
}

/** Longer than an interaction lasts. */
const USED_MS = 15 * 60_000;

/** Derives challenges from the interaction, so that nothing is stored for requests without a user. */
export function createPasskeyChallenges(
  secret: string,
  keyValues: Pick<KeyValueStore, 'increment'>,
): PasskeyChallenges {
  const key = createHmac('sha256', secret).update('passkey challenges').digest();
  return {
    of: (purpose, interactionId, userId = '') =>
      createHmac('sha256', key)
        .update(JSON.stringify([purpose, interactionId, userId]))
        .digest(),
    isFirstUse: async (challenge) =>
      (await keyValues.increment(`passkey:used:${challenge.toString('base64url')}`, USED_MS)) === 1,
  };
}
