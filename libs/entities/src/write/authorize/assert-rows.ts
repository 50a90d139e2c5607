import type { Entity } from '@lintel/metadata';
import type { RowState, RowWrite, WriteRights } from '../scope/write-scope.ts';

/**
 * Tests what binds the rows of a write in their current state: the row-level policies of the caller, and the ceiling of
 * what the caller may give to others.
 *
 * @throws PlatformError ACCESS_DENIED
 */
export async function assertRows<T extends { readonly entity: Entity }>(
  { assertRows: assertPolicies, delegation }: WriteRights,
  state: RowState,
  instances: readonly T[],
  toWrites: (some: readonly T[]) => readonly RowWrite[],
): Promise<void> {
  if (instances.length === 0) return;
  if (assertPolicies !== undefined) await assertPolicies(state, toWrites(instances));
  const bound = delegation === undefined ? [] : instances.filter(({ entity }) => delegation.isBound(entity));
  if (bound.length > 0) await delegation?.assertRows(state, toWrites(bound));
}
