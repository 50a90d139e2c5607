import { dynamicAttributesOf, type Entity, type Model } from '@lintel/metadata';
import type { Statement } from '@lintel/persistence';
import type { InstanceNode } from '../graph/instance-node.ts';
import { removeStatement, replaceStatements } from '../rows/value-rows.ts';
import { runInOrder } from '../scope/run-in-order.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { ownerKeyOf } from '../values/dynamic-value.ts';
import type { Key } from '../values/value.ts';

/** Whether the instance gets other dynamic values; only after `settleDynamicValues`. */
export const hasDynamicChange = ({ dynamic }: Pick<InstanceNode, 'dynamic'>): boolean =>
  dynamic !== undefined && dynamic.length > 0;

/** Writes the changed dynamic values of all instances of a save: as many statements as there are types. */
export async function writeDynamicValues(scope: WriteScope, nodes: readonly InstanceNode[]): Promise<void> {
  const values = nodes.flatMap(({ key, dynamic }) =>
    (dynamic ?? []).map((value) => ({ ...value, owner: ownerKeyOf(key) })),
  );
  if (values.length === 0) return;
  await runInOrder(scope, replaceStatements(scope.model, values));
}

/** Removes the dynamic values of instances that are no more; those of rows only marked as deleted stay. */
export function removalOfDynamicValues(model: Model, entity: Entity, keys: readonly Key[]): readonly Statement[] {
  const attributes = dynamicAttributesOf(model, entity);
  return attributes.length === 0 ? [] : [removeStatement(attributes, keys.map(ownerKeyOf))];
}
