import { EVENTS } from '@lintel/contracts';
import type { EventBus, Subscription } from '@lintel/events';
import type { Actor, SecurityFacts, SecurityLog } from '@lintel/telemetry';
import type { AccountDirectory } from '../accounts/account.ts';
import type { LoginSessions } from './login-sessions.ts';
import type { SessionService } from './session-service.ts';

export interface FollowUserDeps {
  readonly sessions: Pick<SessionService, 'follow'>;
  readonly loginSessions: Pick<LoginSessions, 'endAllOf'>;
  readonly accounts: Pick<AccountDirectory, 'find'>;
}

/**
 * Lets the sessions of a user follow a change. The logins of browsers end with a user who is disabled or removed:
 * otherwise they would be valid again when the user is enabled.
 */
export async function followUser(
  username: string,
  { sessions, loginSessions, accounts }: FollowUserDeps,
): Promise<void> {
  await sessions.follow(username);
  if ((await accounts.find(username))?.isActive !== true) await loginSessions.endAllOf(username);
}

/** Who has made a change, as the event says it. */
const factsOf = (actor: Actor | undefined, username: string | undefined): SecurityFacts => ({
  ...(actor?.by !== undefined && actor.by !== username && { by: actor.by }),
  ...(actor?.byClientId !== undefined && { byClientId: actor.byClientId }),
  ...(actor?.address !== undefined && { address: actor.address }),
});

/** Updates sessions after changes of users and assignments, and records the changes; one replica handles each event. */
export function followChanges(bus: EventBus, deps: FollowUserDeps, security: SecurityLog): Promise<Subscription> {
  return bus.subscribe({
    queue: { kind: 'work', name: 'auth.sessions' },
    types: ['data.user.changed.v1', 'data.assignment.changed.v1'],
    handle: async ({ type, data }) => {
      // Both name the user, who is read again: a repeated or late event has no effect.
      if (type === 'data.assignment.changed.v1') {
        const { username, actor, role, change } = EVENTS[type].schema.parse(data);
        await followUser(username, deps);
        const given = { ...(role !== undefined && { role }), ...(change !== undefined && { reason: change }) };
        return security.record('assignment.changed', { username, ...factsOf(actor, username), ...given });
      }
      const { username, actor, change, attributes, active } = EVENTS['data.user.changed.v1'].schema.parse(data);
      await followUser(username, deps);
      security.record('user.changed', {
        username,
        reason: active === undefined ? change : active ? 'user-unlocked' : 'user-locked',
        ...factsOf(actor, username),
        ...(attributes === undefined ? {} : { attributes }),
      });
    },
  });
}

/** Records changes of roles, and ends what callers see as others: their rights were compared with the former roles. */
export function followRoles(
  bus: EventBus,
  sessions: Pick<SessionService, 'endSeen'>,
  security: SecurityLog,
): Promise<Subscription> {
  return bus.subscribe({
    queue: { kind: 'work', name: 'auth.security' },
    types: ['data.roles.changed.v1'],
    async handle({ data }) {
      await sessions.endSeen();
      const { actor, roles = [{ role: undefined, change: undefined, lines: undefined }] } =
        EVENTS['data.roles.changed.v1'].schema.parse(data);
      for (const { role, change, lines } of roles)
        security.record('roles.changed', {
          ...factsOf(actor, undefined),
          ...(role !== undefined && { role, reason: change, attributes: lines }),
        });
    },
  });
}
