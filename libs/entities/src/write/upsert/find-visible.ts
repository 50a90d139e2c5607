import { type Entity, entityOf } from '@lintel/metadata';
import { canRead, visibleKeys } from '../authorize/load-for-change.ts';
import { type LoadRowsOptions, loadMatching, type MatchSelection, type StoredRow } from '../rows/rows.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { type Key, keyText, type Reference } from '../values/value.ts';
import type { WriteCall } from '../write-call.ts';

const NONE: ReadonlySet<string> = new Set();

/** Stored rows with values of a key. */
export interface FoundRows {
  /** In the order of the values; undefined where there is none that the caller sees. */
  readonly rows: readonly (StoredRow | undefined)[];
  /** Number of rows, visible or not. */
  readonly found: number;
}

/**
 * Finds the rows that the caller sees, with all references that are part of the key: a hidden target would show that it
 * has this row.
 */
export async function findVisible(
  { principal, deps, model, writeModel }: WriteCall,
  scope: WriteScope,
  entity: Entity,
  selection: MatchSelection,
  lock?: LoadRowsOptions['lock'],
): Promise<FoundRows> {
  if (!canRead(entity, principal, deps)) return { rows: [], found: 0 };
  const rows = await loadMatching(scope.transaction, writeModel, entity, selection, lock);
  const known = rows.filter((row) => row !== undefined);
  if (known.length === 0) return { rows, found: 0 };
  const shownAmong = async (of: Entity, keyOf: (row: StoredRow) => Key, deleted?: 'with') => {
    const shown = canRead(of, principal, deps)
      ? await visibleKeys(scope, of, known.map(keyOf), { principal, deps, deleted })
      : NONE;
    return (row: StoredRow): boolean => shown?.has(keyText(keyOf(row))) !== false;
  };
  const tests = [await shownAmong(entity, ({ key }) => key)];
  for (const { attribute, path } of selection.match.slots) {
    if (attribute.kind !== 'reference') continue;
    const target = entityOf(model, attribute.target);
    // A reference to a deleted instance is shown (contract/decisions.md#47).
    tests.push(await shownAmong(target, ({ values }) => (values.get(path) as Reference).key, 'with'));
  }
  const visible = rows.map((row) => (row !== undefined && tests.every((isShown) => isShown(row)) ? row : undefined));
  return { rows: visible, found: known.length };
}
