import { EVENTS } from '@lintel/contracts';
import type { EventBus, Subscription } from '@lintel/events';
import type { SeeAs } from './see-as.ts';

/**
 * Ends what callers see as other users with the session of the caller: the gateway would accept its token until the next
 * exchange. One replica handles each event.
 */
export function followSessions(bus: EventBus, seeAs: Pick<SeeAs, 'end'>): Promise<Subscription> {
  return bus.subscribe({
    queue: { kind: 'work', name: 'auth.see-as' },
    types: ['auth.session.ended.v1'],
    handle: async ({ data }) => {
      const { sessionId, sessionIds = [sessionId] } = EVENTS['auth.session.ended.v1'].schema.parse(data);
      await seeAs.end(...sessionIds);
    },
  });
}
