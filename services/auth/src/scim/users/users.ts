import { matchesEntityTag } from '@lintel/http';
import { isIntegrityViolation, readAssignedRoles, type Transaction } from '@lintel/persistence';
import { hasRolesLeft } from '../../accounts/has-roles-left.ts';
import { changeResource } from '../change-resource.ts';
import { isUuid } from '../filters/compile-filter.ts';
import { notFound, ScimFailure, taken } from '../protocol/scim-failure.ts';
import type { ListRequest } from '../requests/list-request.ts';
import { readPatch } from '../requests/patch-request.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { patchUser } from './patch-user.ts';
import { readUser } from './read-user.ts';
import type { StoredUser, UserFields } from './user-fields.ts';
import type { Page } from './user-store.ts';

/** Operations on users. All of them throw ScimFailure. */
export interface ScimUsers {
  list(request: ListRequest): Promise<Page<StoredUser>>;
  find(id: string): Promise<StoredUser>;
  create(body: unknown): Promise<StoredUser>;
  replace(id: string, body: unknown, ifMatch: string | undefined): Promise<StoredUser>;
  patch(id: string, body: unknown, ifMatch: string | undefined): Promise<StoredUser>;
  remove(id: string, ifMatch: string | undefined): Promise<void>;
}

/** Users that belong to no organisation. */
const BUILT_IN: ReadonlySet<string> = new Set(['system', 'anonymous']);

const lockOfName = (userName: string): string => `name ${userName.toLowerCase()}`;

/** Names of the attributes of the entity, for the columns that SCIM writes. */
const ENTITY_NAMES = {
  userName: 'username',
  firstName: 'firstName',
  lastName: 'lastName',
  email: 'email',
  active: 'active',
  locale: 'locale',
} as const satisfies Partial<Record<keyof UserFields, string>>;

export function createScimUsers(deps: ScimDeps): ScimUsers {
  const { database, users, roles, ids, security, logger } = deps;
  const nameTaken = () => taken('userName: another user has this name');

  async function inTransaction<T>(key: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    try {
      return await changeResource(deps, key, work);
    } catch (error) {
      if (!isIntegrityViolation(error)) throw error;
      // Of concurrent requests, or of rules that the application has added to its users.
      logger.warn({ error }, 'a user of SCIM was not written');
      throw taken('The user conflicts with other data');
    }
  }

  async function existing(transaction: Transaction, id: string, ifMatch: string | undefined): Promise<StoredUser> {
    const user = isUuid(id) ? await users.find(transaction, id) : undefined;
    if (user === undefined) throw notFound();
    assertMatch(ifMatch, user.version);
    return user;
  }

  /** Writes what differs. */
  async function write(transaction: Transaction, before: StoredUser, after: UserFields): Promise<readonly string[]> {
    const { id } = before;
    const newName = after.userName.toLowerCase();
    if (BUILT_IN.has(newName)) throw nameTaken();
    // As a creation does: the database compares names with case.
    if (newName !== before.userName.toLowerCase()) await users.lock(transaction, lockOfName(newName));
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

  async function update(
    id: string,
    ifMatch: string | undefined,
    change: (user: StoredUser) => UserFields,
  ): Promise<StoredUser> {
    const done = await inTransaction(id.toLowerCase(), async (transaction) => {
      const before = await existing(transaction, id, ifMatch);
      const attributes = await write(transaction, before, change(before));
      const changed = await roles.follow(transaction, [before.id]);
      return { before, attributes, changed, after: (await users.find(transaction, before.id)) ?? before };
    });
    const { before, after, attributes } = done;
    if (attributes.length > 0)
      security.record('provisioning.user-changed', { username: after.userName, attributes: [...attributes] });
    await deps.followSessions([...(attributes.length > 0 ? [before.userName, after.userName] : []), ...done.changed]);
    return after;
  }

  /** A user that was removed by SCIM, but stayed disabled, comes back: for the same person, or another one. */
  async function revive(transaction: Transaction, id: string, given: UserFields): Promise<void> {
    await users.record(transaction, id, given);
    const before = await users.find(transaction, id);
    if (before === undefined) throw nameTaken();
    await write(transaction, before, { ...given, active: true });
    await users.endCredentials(transaction, id);
    if (!given.active) await users.change(transaction, id, { active: false });
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
      if (BUILT_IN.has(given.userName.toLowerCase())) throw nameTaken();
      const created = await inTransaction(lockOfName(given.userName), async (transaction) => {
        const known = await users.findName(transaction, given.userName);
        if (known !== undefined && !known.isRemoved) throw nameTaken();
        const id = known?.id ?? ids.next();
        if (known === undefined) {
          if (await hasRolesLeft({ rolesOf: (name) => readAssignedRoles(transaction, name) }, given.userName))
            throw taken('userName: roles are assigned to this name, which no user has; remove them first');
          if (!(await users.create(transaction, id, given))) throw nameTaken();
          await users.record(transaction, id, given);
          if (!given.active) await users.change(transaction, id, { active: false });
        } else await revive(transaction, id, given);
        await roles.follow(transaction, [id]);
        return users.find(transaction, id);
      });
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
      const username = await inTransaction(id.toLowerCase(), async (transaction) => {
        const { id: userId, userName, active } = await existing(transaction, id, ifMatch);
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

/** @throws ScimFailure 412 if the header names another version */
export function assertMatch(ifMatch: string | undefined, version: string | number): void {
  if (ifMatch !== undefined && !matchesEntityTag(ifMatch, `"${version}"`))
    throw new ScimFailure(412, 'If-Match: the resource has another version');
}
