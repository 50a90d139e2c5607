import { type DataManager, type EntityListener, type EntityValues, entityListener } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import {
  type ApplicationRoles,
  PolicyError,
  readResourcePolicy,
  readRowPolicy,
  type StoredResourcePolicy,
  type StoredRowPolicy,
} from '@lintel/security';
import { refusalBy } from './refusal-by.ts';

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
    policyListener('sec_RowLevelPolicy', (values) => readRowPolicy(model, values as unknown as StoredRowPolicy)),
    assignmentListener(application),
    USER_LISTENER,
  ];
}

/**
 * An assignment names a role that exists: an unknown resource role grants nothing, an unknown row-level role hides
 * everything.
 */
const assignmentListener = ({ resourceRoles, rowRoles }: ApplicationRoles): EntityListener =>
  entityListener({
    entity: 'sec_RoleAssignment',
    async beforeSave({ before, after = {} }, { data, message }) {
      const { roleCode: code, roleType } = after;
      // The rules of the attributes refuse anything else.
      if (typeof code !== 'string') return;
      // The role of a stored assignment may no longer exist; its user can still be renamed.
      if (before?.['roleCode'] === code && before['roleType'] === roleType) return;
      const isRow = roleType === 'row-level';
      if ((isRow ? rowRoles : resourceRoles).has(code)) return;
      if (await isStoredRole(data, isRow ? 'sec_RowLevelRole' : 'sec_ResourceRole', code)) return;
      throw refusalBy('RoleUnknown', message, 'roleCode', code);
    },
  });

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
    async beforeSave({ before, after = {} }, { data, message }) {
      const { code, scopes } = after;
      if (before !== undefined && before['code'] !== code && (await isAssigned(data, roleType, before['code'])))
        throw refusalBy('RoleCodeAssigned', message, 'code', code ?? null);
      if (typeof code === 'string' && taken.has(code)) throw refusalBy('RoleCodeTaken', message, 'code', code);
      const unknown = Array.isArray(scopes) ? scopes.find((scope) => !SCOPES.has(scope)) : undefined;
      if (unknown !== undefined) throw refusalBy('RoleScopes', message, 'scopes', scopes);
    },
  });

const policyListener = (entity: string, read: (values: EntityValues) => unknown): EntityListener =>
  entityListener({
    entity,
    async beforeSave({ after = {} }, { message }) {
      try {
        read(after);
      } catch (error) {
        if (!(error instanceof PolicyError)) throw error;
        const { attribute, rule, parameters } = error;
        throw refusalBy(rule, message, attribute, after[attribute] ?? null, parameters);
      }
    },
  });

/**
 * Roles belong to a user and are assigned to a name. They are deleted with the user, and are moved when the user is
 * renamed: the next user of the former name must not get them, and a user must not get the roles that were assigned to
 * the new name before.
 */
const USER_LISTENER: EntityListener = entityListener({
  entity: 'sec_User',
  async beforeSave({ before, after = {} }, { data }) {
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

async function isStoredRole(data: DataManager, entity: string, code: string): Promise<boolean> {
  const conditions = [{ property: 'code', operator: '=', value: code }];
  const [role] = await data.loadList(entity, { filter: { conditions }, fetchPlan: '_instance_name', limit: 1 });
  return role !== undefined;
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
