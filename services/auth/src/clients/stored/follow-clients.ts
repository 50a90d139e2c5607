import type { OwnWrites } from '@lintel/cache';
import { type Envelope, EVENTS } from '@lintel/contracts';
import type { EventBus, Subscription } from '@lintel/events';
import type { Logger } from '@lintel/telemetry';
import type { StoredClients } from './stored-clients.ts';

const CHANGED = 'auth.client.changed.v1';

/** Reads clients again that another replica has changed, also where the event may have been missed. */
export async function followClients(
  bus: EventBus,
  { meter, reload, look }: StoredClients,
  ownWrites: OwnWrites,
  logger: Logger,
): Promise<Subscription> {
  let isClosed = false;
  bus.onConnection((state) => {
    if (isClosed) return;
    void ownWrites.follow(state === 'connected');
    if (state !== 'connected') return;
    meter.countInvalidation('connection');
    look().catch((error: unknown) => logger.warn({ error }, 'the clients of the database were not read'));
  });
  const apply = ({ type, data }: Envelope): Promise<void> => {
    meter.countInvalidation(type);
    return reload([EVENTS[CHANGED].schema.parse(data).clientId]);
  };
  const outdated = ownWrites.attach({ bus, types: [CHANGED], apply });
  const subscription = await bus.subscribe({
    queue: { kind: 'replica', service: 'auth' },
    types: [CHANGED, ...outdated.types],
    handle: (event) => (outdated.types.includes(event.type) ? outdated.handle(event) : apply(event)),
  });
  await ownWrites.follow(bus.isConnected());
  return {
    async close() {
      isClosed = true;
      await ownWrites.close();
      await subscription.close();
    },
  };
}
