import { PlatformError } from '@lintel/errors';
import { type Access, assertStrongLogin, type EntityAction } from '@lintel/security';
import type { InstanceNode, Removal } from '../graph/instance-node.ts';
import { changedPaths } from '../graph/merge-values.ts';

/** 403 of the data layer (contract/writing.md#rights), in which a deletion is shown as an update. */
function assertGranted(
  access: Pick<Access, 'allows' | 'afterLogin'>,
  entity: string,
  action: EntityAction,
  shownAction: EntityAction = action,
): void {
  if (access.allows(entity, action)) return;
  assertStrongLogin(access, (stronger) => stronger.allows(entity, action));
  throw new PlatformError('ACCESS_DENIED', `resource: ${entity}, type: entity, action: ${shownAction}`);
}

/**
 * The caller needs the right on every instance that a save really changes. A removed child without the
 * right to delete is reported as an update, as existing clients expect.
 *
 * @param roots the endpoint has checked these
 * @throws PlatformError ACCESS_DENIED, or AUTH_STEP_UP_REQUIRED if a stronger login has the right
 */
export function assertChildrenAllowed(
  access: Pick<Access, 'allows' | 'afterLogin'>,
  nodes: readonly InstanceNode[],
  roots: ReadonlySet<InstanceNode['key']>,
  removals: readonly Removal[],
): void {
  for (const node of nodes) {
    if (roots.has(node.key)) continue;
    const isChanged = node.kind === 'create' || changedPaths(node.layout, node.before, node.after).length > 0;
    if (isChanged) assertGranted(access, node.entity.name, node.kind);
  }
  for (const { entity } of removals) assertGranted(access, entity.name, 'delete', 'update');
}
