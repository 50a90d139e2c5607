/** Types of security events by what they are about; names as the API has them. */
export const EVENT_GROUPS = {
  logins: [
    'login.succeeded',
    'login.failed',
    'login.blocked',
    'second-factor.failed',
    'second-factor.blocked',
    'recovery-code.used',
    'federation.refused',
  ],
  sessions: [
    'session.ended',
    'sessions.limited',
    'see-as.begun',
    'see-as.ended',
    'token.revoked',
    'refresh-token.reused',
    'authorization-code.reused',
    'device-code.reused',
    'federation.login-ended',
    'consent.ended',
  ],
  users: [
    'user.changed',
    'assignment.changed',
    'roles.changed',
    'second-factor.added',
    'second-factor.removed',
    'recovery-codes.replaced',
    'federation.user-created',
    'federation.user-linked',
    'federation.roles-changed',
    'provisioning.user-created',
    'provisioning.user-changed',
    'provisioning.user-removed',
    'provisioning.group-changed',
    'provisioning.refused',
  ],
  clients: [
    'client.failed',
    'client.blocked',
    'client.changed',
    'api-key.changed',
    'api-key.refused',
    'api-key.unknown',
  ],
} as const;

export type EventGroup = keyof typeof EVENT_GROUPS;

/** Types that somebody should look at. */
const ALARMING = /failed|blocked|reused|refused|unknown/;

/** Whether an event of the type is a refusal. */
export const isAlarming = (type: string): boolean => ALARMING.test(type);

/** The types of a choice, which is a group or one type; all for undefined. */
export const typesOf = (choice: string | undefined): readonly string[] | undefined =>
  choice === undefined
    ? undefined
    : Object.hasOwn(EVENT_GROUPS, choice)
      ? EVENT_GROUPS[choice as EventGroup]
      : [choice];
