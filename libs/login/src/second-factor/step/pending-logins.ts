import type { KeyValueStore } from '@lintel/cache';
import type { TextCipher } from '../../login-ports.ts';

/** A user who has passed the first factor in an interaction, and whose second factor is missing. */
export interface PendingLogin {
  readonly userId: string;
  readonly username: string;
  /** Fingerprint of the password hash: a new password ends the login here as well. */
  readonly credential: string;
  /** Methods of the first factor. */
  readonly methods: readonly string[];
  /** Of a login at an identity provider or directory. */
  readonly loginId?: string | undefined;
  /** That identity provider or directory. */
  readonly provider?: string | undefined;
  /** Whether the browser was logged in before, with one factor. */
  readonly isStepUp: boolean;
  /** The secret that is offered to a user without a factor. */
  readonly offeredSecret?: string;
  /** Methods of the second factor, after it was passed: the recovery codes are shown. */
  readonly passed?: readonly string[];
}

/** Logins whose second factor is missing, by interaction; only the browser of the interaction finds its own. */
export interface PendingLogins {
  save(interactionId: string, login: PendingLogin): Promise<void>;
  find(interactionId: string): Promise<PendingLogin | undefined>;
  remove(interactionId: string): Promise<void>;
}

/** As long as an interaction. */
const LIFE_MS = 600_000;

const keyOf = (interactionId: string): string => `second-factor:login:${interactionId}`;

/** They are in the shared store, encrypted: they contain secrets of apps, and other programs may read that store. */
export function createPendingLogins(
  keyValues: Pick<KeyValueStore, 'get' | 'set' | 'delete'>,
  cipher: TextCipher,
): PendingLogins {
  return {
    async save(interactionId, login) {
      const key = keyOf(interactionId);
      await keyValues.set(key, cipher.encrypt(JSON.stringify(login), key).toString('base64url'), LIFE_MS);
    },
    async find(interactionId) {
      const key = keyOf(interactionId);
      const text = await keyValues.get(key);
      const json = text === undefined ? undefined : cipher.decrypt(Buffer.from(text, 'base64url'), key);
      return json === undefined ? undefined : (JSON.parse(json) as PendingLogin);
    },
    remove: (interactionId) => keyValues.delete(keyOf(interactionId)),
  };
}
