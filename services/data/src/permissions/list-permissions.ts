import type { Model } from '@lintel/metadata';
import { type Access, type EntityAction, SPECIFIC_PERMISSIONS } from '@lintel/security';

interface Target {
  readonly target: string;
  readonly value: 0 | 1 | 2;
}

/** The body of `GET /permissions`. */
export interface Permissions {
  readonly authorities: readonly string[];
  readonly entities: readonly Target[];
  readonly entityAttributes: readonly Target[];
  readonly specifics: readonly Target[];
}

const ACTIONS: readonly EntityAction[] = ['create', 'read', 'update', 'delete'];

/**
 * The permissions of the caller, denied targets with 0 (contract/decisions.md#20). Every entity of the model is
 * listed, embeddables and DTOs too; attribute rights do not depend on entity rights
 * (contract/user.md#permissions).
 */
export function listPermissions(
  model: Model,
  access: Access,
  roles: { readonly resourceRoles: readonly string[]; readonly rowLevelRoles: readonly string[] },
): Permissions {
  const entities = [...model.entities.values()];
  return {
    authorities: [...roles.resourceRoles, ...roles.rowLevelRoles.map((code) => `row_level_role:${code}`)],
    entities: entities.flatMap(({ name }) =>
      ACTIONS.map((action) => ({ target: `${name}:${action}`, value: access.allows(name, action) ? 1 : 0 }) as const),
    ),
    entityAttributes: entities.flatMap((entity) =>
      [...entity.attributes.values()].map((attribute) => ({
        target: `${entity.name}:${attribute.name}`,
        value: attributeValue(access, entity.name, attribute.name),
      })),
    ),
    specifics: SPECIFIC_PERMISSIONS.map((name) => ({ target: name, value: access.hasSpecific(name) ? 1 : 0 })),
  };
}

function attributeValue(access: Access, entity: string, attribute: string): 0 | 1 | 2 {
  if (access.mayModify(entity, attribute)) return 2;
  return access.mayView(entity, attribute) ? 1 : 0;
}
