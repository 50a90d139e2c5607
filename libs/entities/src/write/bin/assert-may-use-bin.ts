import { type Entity, type Model, rootOf } from '@lintel/metadata';
import { type Access, assertSpecific } from '@lintel/security';

/** An action with soft-deleted instances; each has its own specific policy. */
export type BinAction = 'read' | 'restore' | 'purge';

/**
 * Refuses callers without the right to the soft-deleted instances of the entity (contract/bin.md#rights).
 *
 * @throws PlatformError ACCESS_DENIED, or AUTH_STEP_UP_REQUIRED if the caller has the right after a stronger login
 */
export function assertMayUseBin(
  model: Model,
  entity: Entity,
  access: Pick<Access, 'hasSpecific' | 'afterLogin'>,
  action: BinAction,
): void {
  const { name } = rootOf(model, entity);
  const names = [`bin.${action}`, `bin.${action}.${name}`] as const;
  assertSpecific(access, names, 'ACCESS_DENIED', `User is not allowed to ${action} deleted instances of ${name}`);
}

/**
 * A deletion does not depend on which children the caller sees; neither does its restoration. It changes no reference,
 * so no token is necessary.
 */
export const RELEASED_IN_BIN = { visibleKeys: undefined, assertToken: undefined };
