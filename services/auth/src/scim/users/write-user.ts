import type { Transaction } from '@lintel/persistence';
import { type ScimFailure, taken } from '../protocol/scim-failure.ts';
import type { StoredUser, UserFields } from './user-fields.ts';
import type { UserStore } from './user-store.ts';

/** Users that belong to no organisation. */
const BUILT_IN: ReadonlySet<string> = new Set(['system', 'anonymous']);

/** Names of the attributes of the entity, for the columns that SCIM writes. */
const ENTITY_NAMES = {
  userName: 'username',
  firstName: 'firstName',
  lastName: 'lastName',
  email: 'email',
  active: 'active',
  locale: 'locale',
} as const satisfies Partial<Record<keyof UserFields, string>>;

/** The key of the lock that creations and changes to one name share. */
export const lockOfName = (userName: string): string => `name ${userName.toLowerCase()}`;

/** The failure of a name that another user has. */
export const nameTaken = (): ScimFailure => taken('userName: another user has this name');

/** Whether a name belongs to the platform. */
export const isBuiltIn = (userName: string): boolean => BUILT_IN.has(userName.toLowerCase());

/**
 * Writes what differs; returns the names of the changed attributes of the entity.
 *
 * @throws ScimFailure 409 if the new name is one of the platform
 */
export async function writeUser(
  users: UserStore,
  transaction: Transaction,
  before: StoredUser,
  after: UserFields,
): Promise<readonly string[]> {
  const { id } = before;
  if (isBuiltIn(after.userName)) throw nameTaken();
  // As a creation does: the database compares names with case.
  if (after.userName.toLowerCase() !== before.userName.toLowerCase())
    await users.lock(transaction, lockOfName(after.userName));
  const changes = Object.entries(ENTITY_NAMES).flatMap(([field, name]) => {
    const key = field as keyof typeof ENTITY_NAMES;
    return before[key] === after[key] ? [] : [[name, after[key]] as const];
  });
  const isRecorded = before.displayName === after.displayName && before.externalId === after.externalId;
  // The record first, which changes of groups lock first, too.
  if (!isRecorded || changes.length > 0) await users.record(transaction, id, after);
  if (changes.length > 0) await users.change(transaction, id, Object.fromEntries(changes));
  return changes.map(([name]) => name);
}

/**
 * A user that was removed by SCIM, but stayed disabled, comes back: for the same person, or another one.
 *
 * @throws ScimFailure 409 if the user is not one that SCIM may see
 */
export async function reviveUser(
  users: UserStore,
  transaction: Transaction,
  id: string,
  given: UserFields,
): Promise<void> {
  await users.record(transaction, id, given);
  const before = await users.find(transaction, id);
  if (before === undefined) throw nameTaken();
  await writeUser(users, transaction, before, { ...given, active: true });
  await users.endCredentials(transaction, id);
  await users.releaseName(transaction, id);
  if (!given.active) await users.change(transaction, id, { active: false });
}
