import { type Entity, familyTreeOf, type Model } from '@lintel/metadata';
import type { CallerAccess } from '@lintel/reading';
import { versionOf } from '../graph/assert-version.ts';
import type { StoredRow } from '../rows/rows.ts';

/** Whether the versions of the entity's instances are visible to the caller, by the rules of reading. */
export function mayViewVersion(model: Model, entity: Entity, { read }: CallerAccess): boolean {
  const name = entity.system.version;
  return name !== undefined && familyTreeOf(model, entity).every((member) => read.entity(member.name).mayView(name));
}

/**
 * The stored version as in the caller's entity tags (contract/decisions.md#54); undefined if there is none that the
 * caller may view.
 *
 * @param asked the entity that the request names: the tag was read through it
 */
export const shownVersion = (row: StoredRow, asked: Entity, model: Model, access: CallerAccess): string | undefined =>
  mayViewVersion(model, asked, access) ? versionOf(row) : undefined;
