import { type Entity, keyColumnsOf, type Model, quoteIdentifier, rootOf, storingEntity } from '@lintel/metadata';
import { canonicalKey, fromColumn, keyPartsOf, type LiteralType } from '@lintel/query';
import type { InstanceNode } from '../graph/instance-node.ts';
import { missingReference } from '../graph/missing-reference.ts';
import { type ReferenceUse, referenceUsesOf, uncheckedReferenceUsesOf } from '../merge/reference-uses.ts';
import { columnExpression, keyCondition, knownEntityConditions, tableName } from '../model/sql-text.ts';
import { keyParameters } from '../rows/key-parameters.ts';
import type { WriteAction, WriteScope } from '../scope/write-scope.ts';
import { keyText } from '../values/value.ts';

/**
 * Looks up the targets of all changed references, also soft-deleted and hidden ones (contract/writing.md#update); one
 * statement for each entity referred to. Instances that the save creates count as existing. A pipelined
 * write leaves to the foreign keys what they check.
 *
 * @throws PlatformError DATA_CREATE_FAILED or DATA_UPDATE_FAILED naming the attribute
 */
export async function assertReferences(
  scope: WriteScope,
  action: WriteAction,
  nodes: readonly InstanceNode[],
): Promise<void> {
  const { model } = scope;
  const uses = (scope.isPipelined ? uncheckedReferenceUsesOf : referenceUsesOf)(model, nodes);
  for (const [target, group] of Map.groupBy(uses, (use) => use.target)) {
    const existing = await existingKeys(scope, target, group);
    const missing = group.find(({ key }) => !existing.has(keyText(key)));
    if (missing !== undefined) throw missingReference(action, missing.path);
  }
}

async function existingKeys(
  scope: WriteScope,
  target: Entity,
  uses: readonly ReferenceUse[],
): Promise<ReadonlySet<string>> {
  const { model } = scope;
  const columns = keyColumnsOf(model, target);
  const types = keyPartsOf(model, target).map((part) => part.type);
  const keys = [...new Map(uses.map(({ key }) => [keyText(key), key])).values()];
  const selected = columns.map(
    (column, at) => `${columnExpression(types[at] as LiteralType, `t.${quoteIdentifier(column.name)}`)} AS k${at}`,
  );
  const isOne = keys.length === 1;
  // Locked against deletion, so that the target still exists at the commit.
  const rows = await scope.transaction.query({
    text: `SELECT ${selected.join(', ')} FROM ${targetRows(model, target)} AND ${keyCondition('t', columns, 1, isOne)} FOR KEY SHARE OF t`,
    values: keyParameters(columns, types, keys, isOne),
  });
  return new Set(rows.map((row) => keyText(canonicalKey(types.map((type, at) => fromColumn(type, row[`k${at}`]))))));
}

/** The table `t` of the target, joined to that of the root if this one has the discriminator. */
function targetRows(model: Model, target: Entity): string {
  const [root, storing] = [rootOf(model, target), storingEntity(model, target)];
  const known = knownEntityConditions(model, target, storing === root ? 't' : 'r');
  if (storing === root || known.length === 0)
    return `${tableName(storing)} t WHERE ${['TRUE', ...known].join(' AND ')}`;
  const key = keyColumnsOf(model, root);
  const on = keyColumnsOf(model, target).map(
    ({ name }, at) => `r.${quoteIdentifier(key[at]?.name ?? '')} = t.${quoteIdentifier(name)}`,
  );
  return `${tableName(storing)} t JOIN ${tableName(root)} r ON ${on.join(' AND ')} WHERE ${known.join(' AND ')}`;
}
