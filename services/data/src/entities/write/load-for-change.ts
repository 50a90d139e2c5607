import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { Entity } from '@lintel/metadata';
import { loadRows, type StoredRow } from './execute/rows.ts';
import type { WriteScope } from './execute/write-scope.ts';
import { visibleAmong } from './secure/caller-rights.ts';
import { type Key, keyText } from './values/value.ts';
import type { WriteDependencies } from './write-dependencies.ts';

/** A key and the text that stands for it in errors. */
export interface NamedKey {
  readonly key: Key;
  readonly text: string;
}

/** 404 for an instance that is missing, deleted or hidden: nobody learns which (contract §6, row 2). */
export const notFound = (entity: Entity, text: string): PlatformError =>
  new PlatformError('DATA_INSTANCE_NOT_FOUND', `Entity ${entity.name} with id ${text} not found`);

/**
 * Loads and locks instances that the caller may see; reading is needed for changing
 * (contract-security-core.md §3.9).
 *
 * @returns the rows in the order of `keys`
 * @throws PlatformError DATA_INSTANCE_NOT_FOUND naming the first that is not there
 */
export async function loadForChange(
  scope: WriteScope,
  entity: Entity,
  keys: readonly NamedKey[],
  principal: Principal,
  deps: WriteDependencies,
  lock: 'update' | 'delete',
): Promise<readonly StoredRow[]> {
  const access = deps.read.loadAccess(principal);
  const { canRead, rows: conditions, predicates } = access.read.entity(entity.name);
  const [first] = keys;
  if (!canRead && first !== undefined) throw notFound(entity, first.text);
  const all = keys.map(({ key }) => key);
  const rows = await loadRows(
    scope.transaction,
    scope.model,
    entity,
    { by: 'key', keys: all },
    { lock, liveOnly: true },
  );
  const hasConditions = conditions !== undefined || predicates.length > 0;
  const visible = hasConditions ? await visibleAmong(deps, scope, access, entity, all) : undefined;
  const found = new Map(rows.map((row) => [keyText(row.key), row]));
  return keys.map(({ key, text }) => {
    const row = found.get(keyText(key));
    if (row === undefined || visible?.has(keyText(key)) === false) throw notFound(entity, text);
    return row;
  });
}
