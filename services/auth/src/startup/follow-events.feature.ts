import type { Subscription } from '@lintel/events';
import { followUsers } from '../api-keys/follow-users.ts';
import { followClients } from '../clients/stored/follow-clients.ts';
import { followRotations } from '../keys/rotate-keys.ts';
import type { AuthPorts } from '../ports.ts';
import { followChanges, followRoles } from '../sessions/follow-changes.ts';
import type { AuthServices } from './create-services.ts';
import type { Issuing } from './issuing.feature.ts';

/**
 * Subscribes to the events that end sessions, keys and tokens, and to those that other replicas publish. Each
 * subscription is added to `subscriptions` as soon as it exists, so that all are closed even if one fails.
 */
export async function followEvents(
  { bus, logger }: Pick<AuthPorts, 'bus' | 'logger'>,
  services: AuthServices,
  { apiKeys, keys, rotation }: Issuing,
  subscriptions: Subscription[],
): Promise<void> {
  const { security, storedClients, ownWrites } = services;
  const subscribing = [
    followChanges(bus, services, security),
    followRoles(bus, security),
    followUsers(bus, apiKeys),
    followClients(bus, storedClients, ownWrites, logger),
    followRotations(bus, rotation, { meter: keys.meter, logger }),
  ].map(async (subscription) => void subscriptions.push(await subscription));
  await Promise.all(subscribing);
}
