import {
  type DataManager,
  type EntityListener,
  type EntityValues,
  entityListener,
  type ListenerContext,
} from '@lintel/application';
import { type BrokenRule, itemOf, LazyListenerContext, refusalBy } from '@lintel/entities';
import { nearestName, PlatformError, type ValidationItem, validationError } from '@lintel/errors';
import {
  type ApplicationRoles,
  assertPolicyReadable,
  PolicyError,
  readResourcePolicy,
  readRowPolicy,
  type StoredResourcePolicy,
  type StoredRowPolicy,
  userNameKey,
  userNameProblem,
} from '@lintel/security';

/**
 * Refuses unusable roles and policies when they are saved: an administrator sees a mistake at once, and not by users'
 * access that has changed unexpectedly (contract/decisions.md#31).
 */
export function roleListeners(application: ApplicationRoles): readonly EntityListener[] {
  const { model } = application;
  return [
    roleListener('sec_ResourceRole', 'resource', new Set(application.resourceRoles.keys())),
    roleListener('sec_RowLevelRole', 'row-level', new Set(application.rowRoles.keys())),
    policyListener('sec_ResourcePolicy', (values) =>
      readResourcePolicy(model, values as unknown as StoredResourcePolicy),
    ),
    policyListener(
      'sec_RowLevelPolicy',
      (values) => readRowPolicy(model, values as unknown as StoredRowPolicy),
      (policy, context) =>
        assertPolicyReadable(model, policy as unknown as StoredRowPolicy, LazyListenerContext.readAccessOf(context)),
    ),
    assignmentListener(application),
    USER_LISTENER,
  ];
}

/** The user of requests without a token: it needs no account (contract/tokens.md#anonymous). */
const ANONYMOUS = 'anonymous';

/**
 * An assignment names a role and a user that exist: an unknown resource role grants nothing, an unknown row-level role
 * hides everything, and the next user of an unknown name would get the role.
 */
const assignmentListener = ({ resourceRoles, rowRoles }: ApplicationRoles): EntityListener =>
  entityListener({
    entity: 'sec_RoleAssignment',
    async beforeSave({ before, after = {} }, { data, message }) {
      const { roleCode: code, roleType, username } = after;
      const isRow = roleType === 'row-level';
      const ofCode = isRow ? rowRoles : resourceRoles;
      // What a stored assignment names may no longer exist; its other attributes can still be changed. The rules of the
      // attributes refuse anything but texts.
      const namesRole = before?.['roleCode'] !== code || before?.['roleType'] !== roleType;
      const namesUser = before?.['username'] !== username && username !== ANONYMOUS;
      const items: ValidationItem[] = [];
      if (typeof code === 'string' && namesRole && !ofCode.has(code)) {
        if (!(await exists(data, isRow ? 'sec_RowLevelRole' : 'sec_ResourceRole', 'code', code)))
          items.push(itemOf(unknownRole(code, ofCode.keys()), message, 'roleCode', code));
      }
      if (typeof username === 'string' && namesUser && !(await exists(data, 'sec_User', 'username', username)))
        items.push(itemOf({ rule: 'UserUnknown' }, message, 'username', username));
      if (items.length > 0) throw validationError(items);
    },
  });

function unknownRole(code: string, known: Iterable<string>): BrokenRule {
  const nearest = nearestName(code, known);
  return { rule: 'RoleUnknown', parameters: { proposal: nearest === undefined ? '' : ` (${nearest}?)` } };
}

const SCOPES: ReadonlySet<unknown> = new Set(['API', 'UI']);

/**
 * A role that is assigned to a user cannot be deleted or get another code: without its row-level role a user would see
 * everything that it hides.
 */
const roleListener = (entity: string, roleType: string, taken: ReadonlySet<string>): EntityListener =>
  entityListener({
    entity,
    async beforeDelete({ before }, { data }) {
      if (await isAssigned(data, roleType, before?.['code']))
        throw new PlatformError(
          'DATA_DELETE_POLICY',
          `Unable to delete ${entity} because there are references from sec_RoleAssignment`,
        );
    },
    async beforeSave({ id, before, after = {} }, { data, message }) {
      const { code, scopes } = after;
      if (before !== undefined && before['code'] !== code && (await isAssigned(data, roleType, before['code'])))
        throw refusalBy('RoleCodeAssigned', message, 'code', code ?? null);
      if (typeof code === 'string' && taken.has(code)) throw refusalBy('RoleCodeTaken', message, 'code', code);
      if (typeof code === 'string' && code !== before?.['code']) {
        if (code.trim() !== code) throw refusalBy('RoleCodeBlanks', message, 'code', code);
        if (await hasLikeCode(data, entity, taken, code, id)) throw refusalBy('RoleCodeCase', message, 'code', code);
      }
      const unknown = Array.isArray(scopes) ? scopes.find((scope) => !SCOPES.has(scope)) : undefined;
      if (unknown !== undefined) throw refusalBy('RoleScopes', message, 'scopes', scopes);
    },
  });

/** Who changes one of them is the author of the policy. */
const TEXTS = ['entityName', 'type', 'whereClause', 'joinClause', 'script'];

const policyListener = (
  entity: string,
  read: (values: EntityValues) => unknown,
  authorize: (values: EntityValues, context: ListenerContext) => void = () => {},
): EntityListener =>
  entityListener({
    entity,
    async beforeSave({ before, after = {} }, context) {
      // The rules of the attributes refuse a policy without a resource or an entity.
      if ((after['resource'] ?? after['entityName'] ?? null) === null) return;
      try {
        read(after);
      } catch (error) {
        if (!(error instanceof PolicyError)) throw error;
        const { attribute, rule, parameters } = error;
        throw refusalBy(rule, context.message, attribute, after[attribute] ?? null, parameters);
      }
      if (before === undefined || TEXTS.some((name) => before[name] !== after[name])) authorize(after, context);
    },
  });

/**
 * Roles belong to a user and are assigned to a name. They are deleted with the user, and are moved when the user is
 * renamed: the next user of the former name must not get them, and a user must not get the roles that were assigned to
 * the new name before.
 */
const USER_LISTENER: EntityListener = entityListener({
  entity: 'sec_User',
  /** A name that a user has stays possible. Whether it is taken is checked by the database, which knows the clients, too. */
  async beforeSave({ before, after = {} }, { message }) {
    const name = after['username'];
    if (typeof name !== 'string' || name === before?.['username']) return;
    const problem = userNameProblem(name);
    if (problem !== undefined)
      throw refusalBy(problem === 'reserved' ? 'UserNameReserved' : 'UserName', message, 'username', name);
  },
  // After the row is written: an assignment must name a user that exists.
  async afterSave({ before, after = {} }, { data }) {
    const [former, name] = [before?.['username'], after['username']];
    if (typeof former !== 'string' || typeof name !== 'string' || former === name) return;
    for (const id of await assignmentsOf(data, name)) await data.remove('sec_RoleAssignment', id);
    for (const id of await assignmentsOf(data, former)) await data.update('sec_RoleAssignment', id, { username: name });
  },
  async beforeDelete({ before }, { data }) {
    const name = before?.['username'];
    if (typeof name !== 'string') return;
    for (const id of await assignmentsOf(data, name)) await data.remove('sec_RoleAssignment', id);
  },
});

async function assignmentsOf(data: DataManager, username: string): Promise<readonly unknown[]> {
  const conditions = [{ property: 'username', operator: '=', value: username }];
  const found = await data.loadList('sec_RoleAssignment', { filter: { conditions }, fetchPlan: '_instance_name' });
  return found.map(({ id }) => id);
}

/** Whether another role has a code that differs in its case only; the same code violates the index. */
async function hasLikeCode(
  data: DataManager,
  entity: string,
  taken: ReadonlySet<string>,
  code: string,
  id: unknown,
): Promise<boolean> {
  const isLike = (other: unknown): boolean => userNameKey(String(other)) === userNameKey(code);
  if ([...taken].some(isLike)) return true;
  const roles = await data.loadList(entity, { fetchPlan: '_local' });
  return roles.some((role) => role['id'] !== id && role['code'] !== code && isLike(role['code']));
}

async function exists(data: DataManager, entity: string, property: string, value: string): Promise<boolean> {
  const conditions = [{ property, operator: '=', value }];
  const [found] = await data.loadList(entity, { filter: { conditions }, fetchPlan: '_instance_name', limit: 1 });
  return found !== undefined;
}

async function isAssigned(data: DataManager, roleType: string, code: unknown): Promise<boolean> {
  const conditions = [
    { property: 'roleCode', operator: '=', value: code },
    { property: 'roleType', operator: '=', value: roleType },
  ];
  const [assignment] = await data.loadList('sec_RoleAssignment', {
    filter: { conditions },
    fetchPlan: '_instance_name',
    limit: 1,
  });
  return assignment !== undefined;
}
