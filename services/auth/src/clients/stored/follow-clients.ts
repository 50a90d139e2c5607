import { EVENTS } from '@lintel/contracts';
import type { EventBus, Subscription } from '@lintel/events';
import type { Logger } from '@lintel/telemetry';
import type { StoredClients } from './stored-clients.ts';

/** Reads clients again that another replica has changed, also where the event may have been missed. */
export function followClients(
  bus: EventBus,
  { meter, reload, look }: StoredClients,
  logger: Logger,
): Promise<Subscription> {
  bus.onConnection((state) => {
    if (state !== 'connected') return;
    meter.countInvalidation('connection');
    look().catch((error: unknown) => logger.warn({ error }, 'the clients of the database were not read'));
  });
  return bus.subscribe({
    queue: { kind: 'replica', service: 'auth' },
    types: ['auth.client.changed.v1'],
    handle({ type, data }) {
      meter.countInvalidation(type);
      return reload([EVENTS['auth.client.changed.v1'].schema.parse(data).clientId]);
    },
  });
}
