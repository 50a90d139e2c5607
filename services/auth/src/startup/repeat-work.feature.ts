import type { Logger } from '@lintel/telemetry';
import { LOOK_INTERVAL_MS, type StoredClients } from '../clients/stored/stored-clients.ts';
import type { Feature } from '../feature.ts';
import { RELOAD_INTERVAL_MS } from '../keys/key-ring.ts';

/**
 * Does the work of features and reads the clients of the database, each at its interval. An error is logged, and the
 * work is done again at the next interval.
 *
 * @returns a function that ends the repetition
 */
export function repeatWork(
  features: readonly Feature[],
  storedClients: Pick<StoredClients, 'look'>,
  logger: Logger,
): () => void {
  const repeated = features.flatMap((feature) => feature.repeated ?? []);
  const purging = setInterval(() => {
    for (const [run, failure] of repeated) run().catch((error: unknown) => logger.warn({ error }, failure));
  }, RELOAD_INTERVAL_MS);
  purging.unref();
  const looking = setInterval(() => {
    storedClients.look().catch((error: unknown) => logger.warn({ error }, 'the clients of the database were not read'));
  }, LOOK_INTERVAL_MS);
  looking.unref();
  return () => {
    clearInterval(purging);
    clearInterval(looking);
  };
}
