/** Values of the caller that policies can use. */
export interface PolicyCaller {
  readonly username: string;
  readonly userId: string | null;
  readonly locale: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Prefix of the parameters for the attributes of the caller. */
export const USER_PARAMETER = 'current_user_';

/**
 * The value of a policy's parameter (contract/row-policies.md#policies): `current_user_<attribute>` or
 * `current_locale`; the reference's `session$userId`, `session$userLogin` and `session$username`.
 *
 * @returns undefined for what the caller does not have, which matches nothing
 */
export function sessionValue(caller: PolicyCaller, name: string): unknown {
  if (name === 'current_locale') return caller.locale;
  if (name === 'session$userId') return caller.userId;
  if (name === 'session$userLogin' || name === 'session$username') return caller.username;
  if (!name.startsWith(USER_PARAMETER)) return undefined;
  const attribute = name.slice(USER_PARAMETER.length);
  if (attribute === 'username') return caller.username;
  if (attribute === 'id') return caller.userId;
  return Object.hasOwn(caller.attributes, attribute) ? caller.attributes[attribute] : undefined;
}
