import type { InstanceNode } from './instance-node.ts';

const USER = 'sec_User';

/** The attribute of a user that holds the password, and its hash once it is stored. */
export const PASSWORD = 'password';

/** The new password of a user that is saved, before it is hashed. */
export function clearPasswordOf({ entity, before, after }: InstanceNode): string | undefined {
  if (entity.name !== USER) return undefined;
  const password = after.get(PASSWORD);
  return typeof password === 'string' && password !== before?.get(PASSWORD) ? password : undefined;
}
