import { PlatformError } from '@lintel/errors';
import { type Entity, keyColumnsOf, lineageOf } from '@lintel/metadata';
import { formatEntityId, idOf, keyPartsOf } from '@lintel/query';
import { keyCondition, tableName } from '../model/sql-text.ts';
import { keyParameters } from '../rows/key-parameters.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { type Key, keyText } from '../values/value.ts';

/**
 * Refuses ids of new instances that already exist, also those of rows that are soft-deleted or that the caller cannot
 * see (contract/decisions.md#16).
 *
 * @throws PlatformError DATA_ALREADY_EXISTS
 */
export async function assertFree(
  scope: WriteScope,
  items: readonly { readonly entity: Entity; readonly key: Key }[],
): Promise<void> {
  if (items.length === 0) return;
  const groups = Map.groupBy(items, ({ entity }) => lineageOf(scope.model, entity).at(-1) ?? entity);
  for (const [root, group] of groups) {
    const seen = new Set<string>();
    for (const { entity, key } of group) {
      if (seen.has(keyText(key))) throw alreadyExists(scope, entity, key);
      seen.add(keyText(key));
    }
    if (
      !(await isAnyTaken(
        scope,
        root,
        group.map(({ key }) => key),
      ))
    )
      continue;
    for (const { entity, key } of group) {
      if (await isAnyTaken(scope, root, [key])) throw alreadyExists(scope, entity, key);
    }
  }
}

async function isAnyTaken(scope: WriteScope, root: Entity, keys: readonly Key[]): Promise<boolean> {
  const columns = keyColumnsOf(scope.model, root);
  const types = keyPartsOf(scope.model, root).map((part) => part.type);
  const isOne = keys.length === 1;
  const rows = await scope.transaction.query({
    text: `SELECT 1 FROM ${tableName(root)} WHERE ${keyCondition('', columns, 1, isOne)} LIMIT 1`,
    values: keyParameters(columns, types, keys, isOne),
  });
  return rows.length > 0;
}

/** 409 for a taken id. */
const alreadyExists = (scope: Pick<WriteScope, 'model'>, entity: Entity, key: Key): PlatformError =>
  new PlatformError(
    'DATA_ALREADY_EXISTS',
    `Entity ${entity.name} with id ${formatEntityId(scope.model, entity, idOf(scope.model, entity, key))} already exists`,
  );
