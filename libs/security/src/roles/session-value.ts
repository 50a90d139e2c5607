/** Values of the caller that policies can use. */
export interface PolicyCaller {
  readonly username: string;
  readonly userId: string | null;
  readonly locale: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Session attributes that the application has set. */
  readonly sessionAttributes?: Readonly<Record<string, unknown>> | undefined;
}

/** Prefix of the parameters for the attributes of the caller. */
export const USER_PARAMETER = 'current_user_';
/** Prefix of the parameters for the session attributes of the caller. */
export const SESSION_PARAMETER = 'session_';

/**
 * The value of a policy's parameter (contract/row-policies.md#policies): `current_user_<attribute>` (of a reference,
 * its id), `session_<attribute>` or `current_locale`; the reference's `session$userId`, `session$userLogin` and `session$username`.
 *
 * @returns undefined for what the caller does not have, which matches nothing
 */
export function sessionValue(caller: PolicyCaller, name: string): unknown {
  if (name === 'current_locale') return caller.locale;
  if (name === 'session$userId') return caller.userId;
  if (name === 'session$userLogin' || name === 'session$username') return caller.username;
  if (name.startsWith(SESSION_PARAMETER))
    return ownValue(caller.sessionAttributes, name.slice(SESSION_PARAMETER.length));
  if (!name.startsWith(USER_PARAMETER)) return undefined;
  const attribute = name.slice(USER_PARAMETER.length);
  if (attribute === 'username') return caller.username;
  if (attribute === 'id') return caller.userId;
  const value = ownValue(caller.attributes, attribute);
  if (value === undefined && attribute.endsWith('_id'))
    return idOf(ownValue(caller.attributes, attribute.slice(0, -3)));
  return idOf(value) ?? value;
}

const ownValue = (values: Readonly<Record<string, unknown>> | undefined, name: string): unknown =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;

/** The id of a reference, which an own attribute of the users can be. */
const idOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
