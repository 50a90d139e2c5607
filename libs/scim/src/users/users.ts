import { hasRoles, isIntegrityViolation, readAssignedRoles, type Transaction } from '@lintel/persistence';
import { assertMatch } from '../assert-match.ts';
import { changeResource } from '../change-resource.ts';
import { isUuid } from '../filters/compile-filter.ts';
import { notFound, taken } from '../protocol/scim-failure.ts';
import type { ScimResources } from '../requests/list-request.ts';
import { readPatch } from '../requests/patch-request.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { patchUser } from './patch-user.ts';
import { readUser } from './read-user.ts';
import type { StoredUser, UserFields } from './user-fields.ts';
import { lockOfName, nameTaken, newNameProblem, reviveUser, writeUser } from './write-user.ts';

export function createScimUsers(deps: ScimDeps): ScimResources<StoredUser> {
  const { database, users, roles, security } = deps;

  async function update(
    id: string,
    ifMatch: string | undefined,
    change: (user: StoredUser) => UserFields,
  ): Promise<StoredUser> {
    const done = await inTransaction(deps, id.toLowerCase(), async (transaction) => {
      const before = await existing(deps, transaction, id, ifMatch);
      const attributes = await writeUser(users, transaction, before, change(before));
      const changed = await roles.follow(transaction, [before.id]);
      return { before, attributes, changed, after: (await users.find(transaction, before.id)) ?? before };
    });
    const { before, after, attributes } = done;
    if (attributes.length > 0)
      security.record('provisioning.user-changed', { username: after.userName, attributes: [...attributes] });
    await deps.followSessions([...(attributes.length > 0 ? [before.userName, after.userName] : []), ...done.changed]);
    return after;
  }

  return {
    list: (request) => users.list(database, request),
    async find(id) {
      const user = isUuid(id) ? await users.find(database, id) : undefined;
      if (user === undefined) throw notFound();
      return user;
    },
    async create(body) {
      const read = readUser(body);
      const given: UserFields = { ...read, active: read.active ?? true };
      const created = await inTransaction(deps, lockOfName(given.userName), (transaction) =>
        createOrRevive(deps, transaction, given),
      );
      if (created === undefined) throw notFound();
      security.record('provisioning.user-created', { username: created.userName });
      await deps.followSessions([created.userName]);
      return created;
    },
    async replace(id, body, ifMatch) {
      const given = readUser(body);
      // Without the attribute a user is neither disabled nor enabled.
      return update(id, ifMatch, (before) => ({ ...given, active: given.active ?? before.active }));
    },
    async patch(id, body, ifMatch) {
      const operations = readPatch(body);
      return update(id, ifMatch, (before) => patchUser(before, operations));
    },
    async remove(id, ifMatch) {
      const username = await inTransaction(deps, id.toLowerCase(), async (transaction) => {
        const { id: userId, userName, active } = await existing(deps, transaction, id, ifMatch);
        if (deps.removesUsers) {
          await users.remove(transaction, userId);
          return userName;
        }
        if (active) await users.change(transaction, userId, { active: false });
        await users.forget(transaction, userId);
        await roles.follow(transaction, [userId]);
        return userName;
      });
      security.record('provisioning.user-removed', { username });
      await deps.followSessions([username]);
    },
  };
}

/** A change of users in one transaction, alone for its key. */
async function inTransaction<T>(
  deps: ScimDeps,
  key: string,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await changeResource(deps, key, work);
  } catch (error) {
    if (!isIntegrityViolation(error)) throw error;
    // Of concurrent requests, or of rules that the application has added to its users.
    deps.logger.warn({ error }, 'a user of SCIM was not written');
    throw taken('The user conflicts with other data');
  }
}

/** @throws ScimFailure if there is no such user, or it has another version */
async function existing(
  { users }: ScimDeps,
  transaction: Transaction,
  id: string,
  ifMatch: string | undefined,
): Promise<StoredUser> {
  const user = isUuid(id) ? await users.find(transaction, id) : undefined;
  if (user === undefined) throw notFound();
  assertMatch(ifMatch, user.version);
  return user;
}

/** Creates the user, or enables the one that SCIM has removed. */
async function createOrRevive(
  { users, roles, ids }: ScimDeps,
  transaction: Transaction,
  given: UserFields,
): Promise<StoredUser | undefined> {
  const known = await users.findName(transaction, given.userName);
  if (known !== undefined && !known.isRemoved) throw nameTaken();
  const id = known?.id ?? ids.next();
  if (known === undefined) {
    const problem = newNameProblem(given.userName);
    if (problem !== undefined) throw problem;
    if (hasRoles(await readAssignedRoles(transaction, given.userName)))
      throw taken('userName: roles are assigned to this name, which no user has; remove them first');
    if (!(await users.create(transaction, id, given))) throw nameTaken();
    await users.record(transaction, id, given);
    if (!given.active) await users.change(transaction, id, { active: false });
  } else await reviveUser(users, transaction, id, given);
  await roles.follow(transaction, [id]);
  return users.find(transaction, id);
}
