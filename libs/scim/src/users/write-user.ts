import type { Transaction } from '@lintel/persistence';
import { userNameKey, userNameProblem } from '@lintel/security';
import { badRequest, type ScimFailure, taken } from '../protocol/scim-failure.ts';
import { SENT_FIELDS, type StoredUser, type UserFields } from './user-fields.ts';
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
export const lockOfName = (userName: string): string => `name ${userNameKey(userName)}`;

/** The failure of a name that another user has. */
export const nameTaken = (): ScimFailure => taken('userName: another user has this name');

/** Whether a name belongs to the platform. */
export const isBuiltIn = (userName: string): boolean => BUILT_IN.has(userNameKey(userName));

/** Why a user cannot get a name that it does not have. */
export function newNameProblem(userName: string): ScimFailure | undefined {
  const problem = isBuiltIn(userName) ? 'reserved' : userNameProblem(userName);
  if (problem === 'reserved') return taken('userName: the platform has this name');
  return problem && badRequest('invalidValue', 'userName: has characters that user names cannot have (RFC 8265)');
}

/**
 * Writes what differs; returns the names of the changed attributes of the entity. A user that is disabled keeps the name
 * if the new one is impossible: disabling never fails for a name.
 *
 * @throws ScimFailure if another user or a client has the new name, or no user can have it
 */
export async function writeUser(
  users: UserStore,
  transaction: Transaction,
  before: StoredUser,
  given: UserFields,
): Promise<readonly string[]> {
  const { id } = before;
  const problem = given.userName === before.userName ? undefined : await problemOf(users, transaction, given, id);
  if (problem !== undefined && given.active) throw problem;
  const after = problem === undefined ? given : { ...given, userName: before.userName };
  const changes = Object.entries(ENTITY_NAMES).flatMap(([field, name]) => {
    const key = field as keyof typeof ENTITY_NAMES;
    return before[key] === after[key] ? [] : [[name, after[key]] as const];
  });
  const isRecorded = SENT_FIELDS.every((key) => before[key] === after[key]);
  // The record first, which changes of groups lock first, too.
  if (!isRecorded || changes.length > 0) await users.record(transaction, id, after);
  if (changes.length > 0) await users.change(transaction, id, Object.fromEntries(changes));
  return changes.map(([name]) => name);
}

async function problemOf(
  users: UserStore,
  transaction: Transaction,
  { userName }: UserFields,
  id: string,
): Promise<ScimFailure | undefined> {
  return newNameProblem(userName) ?? ((await users.isTaken(transaction, userName, id)) ? nameTaken() : undefined);
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
