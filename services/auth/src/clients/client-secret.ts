import { createSecretComparison } from '@lintel/http';
import type { RunHashing } from '@lintel/login';
import { verifyPassword } from '@lintel/passwords';

/** Whether a text is the client's secret. */
export type SecretCheck = (text: string, hashing: RunHashing) => Promise<boolean>;

/**
 * A check in constant time against a configured secret: an argon2id hash (`$argon2id$…`), or the secret
 * itself, with or without the prefix `{noop}`. Only a keyed digest of the plain secret is kept. A secret that has
 * matched a hash is compared by its digest from then on: only wrong secrets cost a hash each time.
 */
export function createSecretCheck(configured: string): SecretCheck {
  if (configured.startsWith('$argon2id$')) {
    let isRight: ((text: string) => boolean) | undefined;
    return async (text, hashing) => {
      if (isRight?.(text)) return true;
      const { ok } = await hashing(() => verifyPassword(configured, text));
      if (ok) isRight = createSecretComparison(text);
      return ok;
    };
  }
  const isRight = createSecretComparison(configured.replace(/^\{noop\}/, ''));
  return async (text) => isRight(text);
}
