import { PlatformError } from '@lintel/errors';
import type { InstanceInput } from '../parse/instance-input.ts';
import type { StoredRow } from '../rows/rows.ts';

/** The stored version as text; undefined if the entity has none. */
export function versionOf({ entity, values }: StoredRow): string | undefined {
  const version = entity.system.version === undefined ? undefined : values.get(entity.system.version);
  return version === undefined || version === null ? undefined : String(version);
}

/**
 * Compares a sent version with the stored one (contract/writing.md#versions). Without a sent version nothing is
 * compared. The stored one is not named: the caller may not be allowed to view it.
 *
 * @throws PlatformError DATA_OPTIMISTIC_LOCK
 */
export function assertVersion(input: InstanceInput, stored: StoredRow): void {
  if (input.version === undefined || input.version === versionOf(stored)) return;
  throw new PlatformError(
    'DATA_OPTIMISTIC_LOCK',
    `Entity ${stored.entity.name} was changed: the stored version is not ${input.version}, which was sent`,
  );
}
