import { setTimeout as sleep } from 'node:timers/promises';
import { assertSessionAttribute, type LoginClaims, type LoginUser, type OnLogin } from '@lintel/application';
import type { Session, SessionValue } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { DataPorts } from '../ports.ts';

type Ports = Pick<DataPorts, 'application' | 'loadSession' | 'sessionLocales'>;

const HOOK_TIMEOUT_MS = 10_000;

/**
 * The ports with sessions of users that have the values of the hook `onLogin` before they are used.
 *
 * @param timeoutMs how long all requests of a session wait for the hook before they fail
 */
export function withLoginAttributes<P extends Ports>(ports: P, timeoutMs = HOOK_TIMEOUT_MS): P {
  const { onLogin, sessionAttributes = {} } = ports.application;
  if (onLogin === undefined) return ports;
  const running = new Map<string, Promise<Session | undefined>>();
  const complete = async (session: Session): Promise<Session | undefined> => {
    const hook: OnLogin = (...given) => within(timeoutMs, () => onLogin(...given));
    const values = await callHook(hook, session, (name, value) =>
      assertSessionAttribute(sessionAttributes, name, value),
    );
    if (!(await ports.sessionLocales.completeLogin(session.id, values))) return undefined;
    const now = await ports.loadSession(session.id);
    if (now === undefined || now.hasLoginAttributes === true) return now;
    // A cache may still have the session as it was before.
    return { ...now, hasLoginAttributes: true, sessionAttributes: { ...now.sessionAttributes, ...values } };
  };
  return {
    ...ports,
    async loadSession(id) {
      const session = await ports.loadSession(id);
      if (session?.kind !== 'user' || session.hasLoginAttributes === true) return session;
      // Requests that arrive together wait for the same call.
      let completing = running.get(id);
      if (completing === undefined) {
        completing = complete(session).finally(() => running.delete(id));
        running.set(id, completing);
      }
      return completing;
    },
  };
}

/** Errors of the application, and values that are not declared, are no fault of the request. */
async function callHook(
  onLogin: OnLogin,
  session: Session,
  check: (name: string, value: SessionValue) => void,
): Promise<Readonly<Record<string, SessionValue>>> {
  try {
    const values = await onLogin(userOf(session), claimsOf(session));
    for (const [name, value] of Object.entries(values)) check(name, value);
    return values;
  } catch (cause) {
    throw new PlatformError('INTERNAL_ERROR', '', { cause });
  }
}

/** Rejects if the work takes longer; what it returns later is ignored. */
async function within<T>(timeoutMs: number, work: () => T | Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = sleep(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`onLogin has not returned within ${timeoutMs} ms`);
  });
  try {
    return await Promise.race([late, work()]);
  } finally {
    timer.abort();
  }
}

const userOf = ({ username, userId, attributes, resourceRoles, rowLevelRoles }: Session): LoginUser => ({
  username,
  id: userId,
  attributes,
  resourceRoles,
  rowLevelRoles,
});

const claimsOf = ({ username, clientId, id, createdAt }: Session): LoginClaims => ({
  sub: username,
  client_id: clientId,
  sid: id,
  auth_time: Math.floor(Date.parse(createdAt) / 1000),
});
