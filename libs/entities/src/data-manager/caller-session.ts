import {
  assertDeclared,
  assertSessionAttribute,
  type CallerSession,
  type SessionAttributes,
  type SessionAttributeValue,
} from '@lintel/application';
import type { Principal } from '@lintel/contracts';

/**
 * Stores changes of session attributes; null removes one. False if the session has ended or is shared.
 *
 * @throws PlatformError AUTH_UNAVAILABLE
 */
export type ChangeSessionAttributes = (
  sessionId: string,
  changes: Readonly<Record<string, SessionAttributeValue | null>>,
) => Promise<boolean>;

/**
 * The session of a caller for one call of application code, and the principal of that call: conditions that are
 * evaluated after a change use the new value.
 */
export function createCallerSession(
  caller: Principal,
  declared: SessionAttributes = {},
  change: ChangeSessionAttributes,
): { readonly principal: Principal; readonly session: CallerSession } {
  const values: Record<string, SessionAttributeValue> = { ...caller.sessionAttributes };
  return {
    principal: { ...caller, sessionAttributes: values },
    session: {
      get(name) {
        assertDeclared(declared, name);
        return Object.hasOwn(values, name) ? values[name] : undefined;
      },
      async set(name, value) {
        assertSessionAttribute(declared, name, value);
        if (!(await change(caller.sessionId, { [name]: value })))
          throw new Error(`The session of ${caller.username} has ended or is shared: it cannot have attributes`);
        if (value === null) delete values[name];
        else values[name] = value;
      },
    },
  };
}
