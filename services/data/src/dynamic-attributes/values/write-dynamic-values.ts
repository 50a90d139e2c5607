import { dynamicAttributesOf, type Entity } from '@lintel/metadata';
import type { WriteScope } from '../../entities/write/execute/write-scope.ts';
import type { InstanceNode } from '../../entities/write/merge/instance-node.ts';
import type { Key } from '../../entities/write/values/value.ts';
import { ownerKeyOf } from './dynamic-value.ts';
import { removeStatement, replaceStatements } from './value-rows.ts';

/** Whether the instance gets other dynamic values; only behind `settleDynamicValues`. */
export const hasDynamicChange = ({ dynamic }: Pick<InstanceNode, 'dynamic'>): boolean =>
  dynamic !== undefined && dynamic.length > 0;

/** Writes the changed dynamic values of all instances of a save: as many statements as there are types. */
export async function writeDynamicValues(scope: WriteScope, nodes: readonly InstanceNode[]): Promise<void> {
  const values = nodes.flatMap(({ key, dynamic }) =>
    (dynamic ?? []).map((value) => ({ ...value, owner: ownerKeyOf(key) })),
  );
  if (values.length === 0) return;
  for (const statement of replaceStatements(scope.model, values)) await scope.transaction.query(statement);
}

/** Removes the dynamic values of instances that are no more; those of rows only marked as deleted stay. */
export async function removeDynamicValues(scope: WriteScope, entity: Entity, keys: readonly Key[]): Promise<void> {
  const attributes = dynamicAttributesOf(scope.model, entity);
  if (attributes.length > 0) await scope.transaction.query(removeStatement(attributes, keys.map(ownerKeyOf)));
}
