import { type EntityListener, type EntityValues, entityListener, type ListenerContext } from '@lintel/application';
import { validationError } from '@lintel/errors';
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
    roleListener('sec_ResourceRole', new Set(application.resourceRoles.keys())),
    roleListener('sec_RowLevelRole', new Set(application.rowRoles.keys())),
    policyListener('sec_ResourcePolicy', (values) =>
      readResourcePolicy(model, values as unknown as StoredResourcePolicy),
    ),
    policyListener('sec_RowLevelPolicy', (values) => readRowPolicy(model, values as unknown as StoredRowPolicy)),
  ];
}

const SCOPES: ReadonlySet<unknown> = new Set(['API', 'UI']);

const roleListener = (entity: string, taken: ReadonlySet<string>): EntityListener =>
  entityListener({
    entity,
    async beforeSave({ after = {} }, { message }) {
      const { code, scopes } = after;
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

/** In the language of the caller. */
const refusalBy = (rule: string, text: ListenerContext['message'], path: string, invalidValue: unknown): Error => {
  const key = `lintel.validation.${rule}.message`;
  return validationError([{ message: text(key), messageTemplate: `{${key}}`, path, invalidValue }]);
};

const refusal = (path: string, message: string, invalidValue: unknown): Error =>
  validationError([{ message, messageTemplate: message, path, invalidValue }]);
