import {
  type DataManager,
  type EntityListener,
  type EntityValues,
  entityListener,
  type ListenerContext,
} from '@lintel/application';
import { PlatformError, validationError } from '@lintel/errors';
import {
  type ApplicationRoles,
  PolicyError,
  readResourcePolicy,
  readRowPolicy,
  type StoredResourcePolicy,
  type StoredRowPolicy,
} from '@lintel/security';

/**
 * Refuses roles and policies that could not be used, when they are saved: an administrator learns of a
 * mistake at once, and not from what users can suddenly see (decisions.md 31).
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
  ];
}

const SCOPES: ReadonlySet<unknown> = new Set(['API', 'UI']);

/**
 * A role that somebody has keeps its code and stays: without its row-level role a user would suddenly see
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
    async beforeSave({ after = {} }) {
      try {
        read(after);
      } catch (error) {
        if (error instanceof PolicyError) throw refusal(error.attribute, error.message, after[error.attribute] ?? null);
        throw error;
      }
    },
  });

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

/** In the language of the caller. */
const refusalBy = (rule: string, text: ListenerContext['message'], path: string, invalidValue: unknown): Error => {
  const key = `lintel.validation.${rule}.message`;
  return validationError([{ message: text(key), messageTemplate: `{${key}}`, path, invalidValue }]);
};

const refusal = (path: string, message: string, invalidValue: unknown): Error =>
  validationError([{ message, messageTemplate: message, path, invalidValue }]);
