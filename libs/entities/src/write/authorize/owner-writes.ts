import { type Entity, type Ownership, visibleOwnershipsOf } from '@lintel/metadata';
import { loadRows, type StoredRow } from '../rows/rows.ts';
import { linksOf, selectionOf } from '../scope/owner-links.ts';
import type { RowWrite, WriteScope } from '../scope/write-scope.ts';
import { type Key, keyText } from '../values/value.ts';

/**
 * The updates that writes of children are, of their owners at every depth, if the children are visible where their owner
 * is. Owners that the request writes itself are not among them.
 */
export async function ownerWrites(scope: WriteScope, rows: readonly RowWrite[]): Promise<readonly RowWrite[]> {
  const seen = new Set(rows.map(idOf));
  const updates: RowWrite[] = [];
  let children = await storedOf(scope, rows);
  while (children.length > 0) {
    const owners = await loadOwners(scope, children);
    const found = owners.filter((row) => !seen.has(idOf(row)));
    for (const row of found) {
      seen.add(idOf(row));
      updates.push({ action: 'update', entity: row.entity, key: row.key });
    }
    children = owners.filter(({ entity }) => visibleOwnershipsOf(scope.model, entity).length > 0);
  }
  return updates;
}

const idOf = ({ entity, key }: { readonly entity: Entity; readonly key: Key }): string =>
  `${entity.name} ${keyText(key)}`;

/** The children among the rows as they are now in the transaction. */
async function storedOf(scope: WriteScope, rows: readonly RowWrite[]): Promise<readonly StoredRow[]> {
  const children = rows.filter(({ entity }) => visibleOwnershipsOf(scope.model, entity).length > 0);
  const found: StoredRow[] = [];
  for (const [entity, all] of Map.groupBy(children, (row) => row.entity)) {
    const keys = all.map(({ key }) => key);
    found.push(...(await loadRows(scope.transaction, scope.writeModel, entity, { by: 'key', keys }, SHOWN)));
  }
  return found;
}

async function loadOwners(scope: WriteScope, children: readonly StoredRow[]): Promise<readonly StoredRow[]> {
  const wanted = new Map<Ownership, Map<string, Key>>();
  for (const { entity, key, values } of children)
    for (const ownership of visibleOwnershipsOf(scope.model, entity)) {
      const keys = wanted.get(ownership) ?? new Map<string, Key>();
      wanted.set(ownership, keys);
      for (const link of linksOf(ownership, { key, before: undefined, after: values })) keys.set(keyText(link), link);
    }
  const owners = new Map<string, StoredRow>();
  for (const [{ owner, attribute }, keys] of wanted) {
    const selection = selectionOf(scope, attribute, owner, [...keys.values()]);
    if (selection === undefined) continue;
    for (const row of await loadRows(scope.transaction, scope.writeModel, owner, selection, SHOWN))
      owners.set(idOf(row), row);
  }
  return [...owners.values()];
}

const SHOWN = { liveOnly: false } as const;
