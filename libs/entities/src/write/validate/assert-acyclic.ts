import { type ValidationItem, validationError } from '@lintel/errors';
import { entityOf, keyColumnsOf, quoteIdentifier } from '@lintel/metadata';
import { canonicalKey, fromColumn, type LiteralType } from '@lintel/query';
import type { InstanceNode } from '../graph/instance-node.ts';
import type { ColumnSlot } from '../model/layout.ts';
import { columnExpression, keyCondition, tableName } from '../model/sql-text.ts';
import { keyParameters } from '../rows/key-parameters.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { isReference, keyText } from '../values/value.ts';

const TEMPLATE = '{lintel.validation.TreeCycle.message}';

/**
 * Asserts after a save that no instance of a tree is below itself. Moves in one tree wait for each other until the
 * commit, so that two of them cannot make a cycle together.
 *
 * @throws PlatformError DATA_VALIDATION_FAILED naming the parents
 */
export async function assertAcyclic(
  scope: Pick<WriteScope, 'model' | 'transaction' | 'localize'>,
  changed: readonly InstanceNode[],
): Promise<void> {
  const children = changed.filter(({ layout }) => layout.parent !== undefined);
  if (children.length === 0) return;
  const parents = new Set(children.map((node) => parentTextOf(node)));
  const moved = children.filter((node) => {
    const parent = parentTextOf(node);
    if (parent === undefined) return false;
    // A new instance is the parent of others of the save only.
    return node.kind === 'create' ? parents.has(keyText(node.key)) : parent !== parentTextOf(node, 'before');
  });
  for (const [slot, nodes] of Map.groupBy(moved, ({ layout }) => layout.parent as ColumnSlot)) {
    const found = await keysBelowThemselves(scope, slot, nodes);
    const items = nodes.filter(({ key }) => found.has(keyText(key))).map((node) => itemOf(scope, slot, node));
    if (items.length > 0) throw validationError(items);
  }
}

function parentTextOf({ layout, ...node }: InstanceNode, state: 'before' | 'after' = 'after'): string | undefined {
  const value = layout.parent === undefined ? undefined : node[state]?.get(layout.parent.path);
  return isReference(value) ? keyText(value.key) : undefined;
}

async function keysBelowThemselves(
  { model, transaction }: Pick<WriteScope, 'model' | 'transaction'>,
  { attribute, columns, types }: ColumnSlot,
  nodes: readonly InstanceNode[],
): Promise<ReadonlySet<string>> {
  const entity = entityOf(model, attribute.declaredBy);
  const table = tableName(entity);
  const keys = keyColumnsOf(model, entity);
  const [key = '', parent = ''] = [...keys, ...columns].map(({ name }) => quoteIdentifier(name));
  await transaction.query({
    name: 'entities_lock_tree',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))',
    values: [`tree ${table}`],
  });
  // A separate statement: it must see what was committed while the lock was waited for.
  const [type] = types as [LiteralType];
  const rows = await transaction.query({
    text: `WITH RECURSIVE above (first, link) AS (SELECT t.${key}, t.${parent} FROM ${table} t WHERE ${keyCondition('t', keys, 1)} UNION SELECT above.first, t.${parent} FROM above JOIN ${table} t ON t.${key} = above.link) SELECT DISTINCT ${columnExpression(type, 'first')} AS k FROM above WHERE first = link`,
    values: keyParameters(
      keys,
      types,
      nodes.map((node) => node.key),
    ),
  });
  return new Set(rows.map((row) => keyText(canonicalKey([fromColumn(type, row['k'])]))));
}

function itemOf({ localize }: Pick<WriteScope, 'localize'>, { path }: ColumnSlot, node: InstanceNode): ValidationItem {
  return {
    message: localize({ messageTemplate: TEMPLATE, parameters: {} }, node.entity.name),
    messageTemplate: TEMPLATE,
    path: node.path === '' ? path : `${node.path}.${path}`,
    invalidValue: node.sent.get(path) ?? null,
  };
}
