import { beginEarly } from '@lintel/service';
import type { Logger } from '@lintel/telemetry';
import { waitForSchema } from '../wait-for-schema.ts';
import { type KeyRing, type KeyRingDeps, loadKeyRing } from './key-ring.ts';

/** Signing keys that are being loaded. */
export interface OpeningKeys {
  /** Resolves when the database has the tables of the service. */
  readonly schema: Promise<void>;
  /** Rejects with a ConfigurationError if the key encryption secret does not fit the stored keys. */
  readonly keys: Promise<KeyRing>;
}

/**
 * Waits for the database schema and loads or creates the signing keys. Deriving the key that decrypts them takes about
 * as long as creating the service, in a thread of its own: a process begins with it.
 */
export function openKeys(deps: KeyRingDeps & { readonly logger: Logger }): OpeningKeys {
  const schema = beginEarly(waitForSchema(deps.database, deps.logger));
  return { schema, keys: beginEarly(schema.then(() => loadKeyRing(deps))) };
}
