import { PlatformError } from '@lintel/errors';
import type { Access } from '@lintel/security';
import type { InstanceNode, Removal } from '../graph/instance-node.ts';
import { changedPaths } from '../graph/merge-values.ts';

/** 403 of the data layer (contract/writing.md#rights). */
const denied = (entity: string, action: 'create' | 'update'): PlatformError =>
  new PlatformError('ACCESS_DENIED', `resource: ${entity}, type: entity, action: ${action}`);

/**
 * The caller needs the right on every instance that a save really changes. A removed child without the
 * right to delete is reported as an update, as existing clients expect.
 *
 * @param roots the endpoint has checked these
 * @throws PlatformError ACCESS_DENIED
 */
export function assertChildrenAllowed(
  access: Pick<Access, 'allows'>,
  nodes: readonly InstanceNode[],
  roots: ReadonlySet<InstanceNode['key']>,
  removals: readonly Removal[],
): void {
  for (const node of nodes) {
    if (roots.has(node.key)) continue;
    const isChanged = node.kind === 'create' || changedPaths(node.layout, node.before, node.after).length > 0;
    if (isChanged && !access.allows(node.entity.name, node.kind)) throw denied(node.entity.name, node.kind);
  }
  for (const removal of removals) {
    if (!access.allows(removal.entity.name, 'delete')) throw denied(removal.entity.name, 'update');
  }
}
