import { EVENTS } from '@lintel/contracts';
import type { EventBus, Subscription } from '@lintel/events';
import type { ApiKeys } from './api-keys.ts';

/** Ends the keys of users who are disabled or removed; one replica handles each event. */
export function followUsers(bus: EventBus, keys: ApiKeys): Promise<Subscription> {
  return bus.subscribe({
    queue: { kind: 'work', name: 'auth.api-keys' },
    types: ['data.user.changed.v1'],
    handle: ({ data }) => keys.follow(EVENTS['data.user.changed.v1'].schema.parse(data).username),
  });
}
