import type { KeyValueStore } from '@lintel/cache';
import type { LoginHistory } from '@lintel/login';
import type { Logger, SecurityLog } from '@lintel/telemetry';
import { z } from 'zod';

/** A key of a user, without its text. */
export interface KnownKey {
  readonly id: string;
  readonly username: string;
}

/** Why requests with a key are refused. */
export type KeyRefusal = 'expired' | 'ended' | 'user disabled or removed';

/** A request with a key that is refused. */
export interface RefusedUse {
  /** Digest of the key; undefined for a text that is no key. */
  readonly hash: string | undefined;
  readonly address: string | undefined;
  /** The key, if it is stored, and why it is refused. */
  readonly known?: KnownKey & { readonly reason: KeyRefusal };
}

/** Records for users and administrators how keys are used, with the ids of keys and never their texts. */
export interface KeyUses {
  /** A key was removed: later requests with it are recorded for its user. */
  remember(key: KnownKey & { readonly hash: string }, reason: KeyRefusal): Promise<void>;
  /** A session of a key begins, with its first request. */
  began(key: KnownKey, address: string | undefined): void;
  /** Records without waiting: the time of the response does not show whether there was such a key. */
  refused(use: RefusedUse): void;
}

export interface KeyUsesDeps {
  readonly keyValues: Pick<KeyValueStore, 'get' | 'set' | 'increment'>;
  readonly history: Pick<LoginHistory, 'note'>;
  readonly security: SecurityLog;
  readonly logger: Logger;
}

/** As long as expired keys are stored. */
const REMEMBERED_MS = 30 * 24 * 3_600_000;
/** A script that does not stop is recorded once within this time, for each address. */
const REPEATED_MS = 3_600_000;

const removedSchema = z.object({
  id: z.string(),
  username: z.string(),
  reason: z.enum(['expired', 'ended', 'user disabled or removed']),
});

export function createKeyUses({ keyValues, history, security, logger }: KeyUsesDeps): KeyUses {
  async function removed(hash: string): Promise<RefusedUse['known']> {
    const text = await keyValues.get(`api-key:removed:${hash}`);
    return text === undefined ? undefined : removedSchema.parse(JSON.parse(text));
  }

  async function record({ hash, address, known }: RefusedUse): Promise<void> {
    const from = address === undefined ? {} : { address };
    const key = known ?? (hash === undefined ? undefined : await removed(hash));
    if (key === undefined) return security.record('api-key.unknown', from);
    if ((await keyValues.increment(`api-key:refused:${key.id}:${address ?? ''}`, REPEATED_MS)) > 1) return;
    const { username, reason } = key;
    security.record('api-key.refused', { username, clientId: clientIdOf(key), reason, ...from });
    const outcome = reason === 'user disabled or removed' ? 'disabled' : 'refused';
    history.note({ username, outcome, method: 'api-key', clientId: clientIdOf(key), address: address ?? null });
  }

  return {
    remember: ({ hash, id, username }, reason) =>
      keyValues.set(`api-key:removed:${hash}`, JSON.stringify({ id, username, reason }), REMEMBERED_MS),
    began: (key, address) =>
      history.note({
        username: key.username,
        outcome: 'succeeded',
        method: 'api-key',
        clientId: clientIdOf(key),
        address: address ?? null,
      }),
    refused(use) {
      record(use).catch((error: unknown) => logger.warn({ error }, 'A refused API key was not recorded'));
    },
  };
}

/** Client of the sessions of a key. */
export const clientIdOf = ({ id }: Pick<KnownKey, 'id'>): string => `api-key:${id}`;
