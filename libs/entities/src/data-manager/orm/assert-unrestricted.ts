import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { Entity, Model } from '@lintel/metadata';
import type { Access, AccessOf } from '@lintel/security';

const ACTIONS = ['create', 'read', 'update', 'delete'] as const;

/**
 * Refuses `dataSource()` to callers with any restriction: TypeORM applies neither row-level policies nor the rights to
 * entities and attributes, so its statements would bypass them.
 *
 * @throws PlatformError ACCESS_DENIED
 */
export function assertUnrestricted(model: Model, accessOf: AccessOf, principal: Principal): void {
  if (principal.rowLevelRoles.length === 0 && isUnrestricted(model, accessOf(principal))) return;
  throw new PlatformError(
    'ACCESS_DENIED',
    'dataSource() applies neither row-level policies nor rights to entities and attributes, and the caller is limited by them: use unconstrained().dataSource()',
  );
}

const isUnrestricted = ({ entities }: Model, access: Access): boolean =>
  [...entities.values()].every((entity) => entity.kind === 'dto' || hasAll(entity, access));

const hasAll = ({ kind, name, attributes }: Entity, access: Access): boolean =>
  (kind !== 'entity' || ACTIONS.every((action) => access.allows(name, action))) &&
  [...attributes.keys()].every((attribute) => access.mayModify(name, attribute) && access.mayView(name, attribute));
