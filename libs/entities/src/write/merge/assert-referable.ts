import { entityOf } from '@lintel/metadata';
import type { InstanceNode } from '../graph/instance-node.ts';
import { missingReference } from '../graph/missing-reference.ts';
import type { WriteAction, WriteRights, WriteScope } from '../scope/write-scope.ts';
import { keyText } from '../values/value.ts';
import { referenceUsesOf } from './reference-uses.ts';

/**
 * If read policies apply to writes (contract/decisions.md#73), a reference to an instance that the caller cannot see is
 * refused like a reference to a missing one. The same statement detects both, so that the response time does not differ
 * either.
 *
 * @param nodes before listeners of the application have changed them: values set by listeners are not limited
 * @throws PlatformError DATA_CREATE_FAILED or DATA_UPDATE_FAILED naming the attribute
 */
export async function assertReferable(
  { model }: Pick<WriteScope, 'model'>,
  { referable }: Pick<WriteRights, 'referable'>,
  action: WriteAction,
  nodes: readonly InstanceNode[],
): Promise<void> {
  if (referable === undefined) return;
  const uses = referenceUsesOf(model, nodes).filter(({ target }) => referable.isBound(target.name));
  for (const [target, group] of Map.groupBy(uses, (use) => use.target)) {
    const keys = new Map(group.map(({ key }) => [keyText(key), key]));
    const visible = await referable.visibleKeys(entityOf(model, target.name), [...keys.values()]);
    const hidden = group.find(({ key }) => !visible.has(keyText(key)));
    if (hidden !== undefined) throw missingReference(action, hidden.path);
  }
}
