import { type Entity, entityOf, keyColumnsOf, lineageOf, type Model, quoteIdentifier } from '@lintel/metadata';
import { keyPartsOf, type LiteralType } from '@lintel/query';
import type { InstanceNode } from '../merge/instance-node.ts';
import { changedPaths } from '../merge/merge-values.ts';
import { missingReference } from '../merge/missing-reference.ts';
import { keyCondition, keyParameters, tableName } from '../plan/sql-text.ts';
import { columnExpression, fromColumn } from '../values/column-value.ts';
import { isReference, type Key, keyText, type Reference, type Value } from '../values/value.ts';
import type { WriteAction, WriteScope } from './write-scope.ts';

interface Use {
  readonly target: Entity;
  readonly key: Key;
  /** Path from the sent root. */
  readonly path: string;
}

/**
 * Looks up the targets of all changed references, also soft-deleted and hidden ones (contract §3.6); one
 * statement for each entity referred to. Instances that the save creates count as existing. An eager write leaves
 * to the foreign keys what they check.
 *
 * @throws PlatformError DATA_CREATE_FAILED or DATA_UPDATE_FAILED naming the attribute
 */
export async function assertReferences(
  scope: WriteScope,
  action: WriteAction,
  nodes: readonly InstanceNode[],
): Promise<void> {
  const { model } = scope;
  const named = nodes.flatMap((node) => [
    ...(scope.isEager ? [] : storedUsesOf(model, node)),
    ...dynamicUsesOf(model, node),
  ]);
  if (named.length === 0) return;
  const rootName = (entity: Entity): string => lineageOf(model, entity).at(-1)?.name ?? entity.name;
  const known = new Set(nodes.map((node) => `${rootName(node.entity)} ${keyText(node.key)}`));
  const uses = named.filter(({ target, key }) => !known.has(`${rootName(target)} ${keyText(key)}`));
  for (const [target, group] of Map.groupBy(uses, (use) => use.target)) {
    const existing = await existingKeys(scope, target, group);
    const missing = group.find(({ key }) => !existing.has(keyText(key)));
    if (missing !== undefined) throw missingReference(action, missing.path);
  }
}

const dynamicUsesOf = (model: Model, node: InstanceNode): readonly Use[] =>
  (node.dynamic ?? []).flatMap(({ attribute, path, items }) =>
    items.flatMap((item) =>
      isReference(item) ? [{ target: entityOf(model, attribute.target ?? ''), key: item.key, path }] : [],
    ),
  );

function storedUsesOf(model: Model, node: InstanceNode): readonly Use[] {
  return changedPaths(node.layout, node.before, node.after).flatMap((path) => {
    const attribute = node.layout.slots.get(path)?.attribute ?? node.layout.links.find((link) => link.name === path);
    if (attribute?.kind !== 'reference') return [];
    const target = entityOf(model, attribute.target);
    const before = new Set(referencesOf(node.before?.get(path)).map(({ key }) => keyText(key)));
    return referencesOf(node.after.get(path))
      .filter(({ key }) => !before.has(keyText(key)))
      .map(({ key }) => ({ target, key, path: node.path === '' ? path : `${node.path}.${path}` }));
  });
}

function referencesOf(value: Value | undefined): readonly Reference[] {
  if (isReference(value)) return [value];
  return Array.isArray(value) ? (value as readonly Reference[]) : [];
}

async function existingKeys(scope: WriteScope, target: Entity, uses: readonly Use[]): Promise<ReadonlySet<string>> {
  const columns = keyColumnsOf(scope.model, target);
  const types = keyPartsOf(scope.model, target).map((part) => part.type);
  const keys = [...new Map(uses.map(({ key }) => [keyText(key), key])).values()];
  const selected = columns.map(
    (column, at) => `${columnExpression(types[at] as LiteralType, quoteIdentifier(column.name))} AS k${at}`,
  );
  // Locked against deletion, so that the reference is still good at the commit.
  const rows = await scope.transaction.query({
    text: `SELECT ${selected.join(', ')} FROM ${tableName(target)} WHERE ${keyCondition('', columns, 1, keys.length === 1)} FOR KEY SHARE`,
    values: keyParameters(columns, types, keys),
  });
  return new Set(rows.map((row) => keyText(types.map((type, at) => fromColumn(type, row[`k${at}`])))));
}
