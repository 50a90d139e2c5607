import { EVENTS } from '@lintel/contracts';
import type { EventBus, Subscription } from '@lintel/events';
import type { SessionKeeper } from './session-keeper.ts';

/** Brings sessions up to date with users and assignments; one replica does it for each event. */
export function followChanges(bus: EventBus, sessions: SessionKeeper): Promise<Subscription> {
  return bus.subscribe({
    queue: { kind: 'work', name: 'auth.sessions' },
    types: ['data.user.changed.v1', 'data.assignment.changed.v1'],
    handle: async ({ data }) => {
      // Both name the user; what changed is read anew, so a repeated or late event does no harm.
      const { username } = EVENTS['data.assignment.changed.v1'].schema.parse(data);
      await sessions.follow(username);
    },
  });
}
