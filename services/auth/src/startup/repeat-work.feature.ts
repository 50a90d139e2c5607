import type { Logger } from '@lintel/telemetry';
import { LOOK_INTERVAL_MS } from '../clients/stored/stored-clients.ts';
import { RELOAD_INTERVAL_MS } from '../keys/key-ring.ts';
import type { AuthServices } from './create-services.ts';
import type { Issuing } from './issuing.feature.ts';

/**
 * Removes what has expired, rotates the signing keys and reads the clients of the database, each at its interval. An
 * error is logged, and the work is done again at the next interval.
 *
 * @returns a function that ends the repetition
 */
export function repeatWork(
  services: AuthServices,
  { federation, keyStore, rotation }: Issuing,
  logger: Logger,
): () => void {
  const repeated: readonly (readonly [() => Promise<unknown>, string])[] = [
    [services.grants.purgeExpired, 'expired grants were not removed'],
    [federation.purgeExpired, 'ended logins were not removed'],
    [keyStore.purge, 'expired API keys were not removed'],
    [services.history.prune, 'expired attempts to log in were not removed'],
    [services.securityEvents.prune, 'old security events were not removed'],
    [services.login.passwords.prune, 'passwords of removed users were not removed'],
    [services.login.secondFactors.factors.purge, 'factors of removed users were not removed'],
    [rotation.tick, 'the signing keys were not looked after'],
  ];
  const purging = setInterval(() => {
    for (const [run, failure] of repeated) run().catch((error: unknown) => logger.warn({ error }, failure));
  }, RELOAD_INTERVAL_MS);
  purging.unref();
  const looking = setInterval(() => {
    services.storedClients
      .look()
      .catch((error: unknown) => logger.warn({ error }, 'the clients of the database were not read'));
  }, LOOK_INTERVAL_MS);
  looking.unref();
  return () => {
    clearInterval(purging);
    clearInterval(looking);
  };
}
