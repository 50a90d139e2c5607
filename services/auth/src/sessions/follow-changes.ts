import { EVENTS } from '@lintel/contracts';
import type { EventBus, Subscription } from '@lintel/events';
import type { SecurityLog } from '@lintel/telemetry';
import type { SessionService } from './session-service.ts';

/** Updates sessions after changes of users and assignments, and records the changes; one replica handles each event. */
export function followChanges(bus: EventBus, sessions: SessionService, security: SecurityLog): Promise<Subscription> {
  return bus.subscribe({
    queue: { kind: 'work', name: 'auth.sessions' },
    types: ['data.user.changed.v1', 'data.assignment.changed.v1'],
    handle: async ({ type, data }) => {
      // Both name the user, who is read again: a repeated or late event has no effect.
      const { username } = EVENTS['data.assignment.changed.v1'].schema.parse(data);
      await sessions.follow(username);
      if (type === 'data.assignment.changed.v1') return security.record('assignment.changed', { username });
      const { change, attributes } = EVENTS['data.user.changed.v1'].schema.parse(data);
      security.record('user.changed', {
        username,
        reason: change,
        ...(attributes === undefined ? {} : { attributes }),
      });
    },
  });
}

/** Records changes of roles. */
export function followRoles(bus: EventBus, security: SecurityLog): Promise<Subscription> {
  return bus.subscribe({
    queue: { kind: 'work', name: 'auth.security' },
    types: ['data.roles.changed.v1'],
    handle: async () => security.record('roles.changed', {}),
  });
}
