import type { Principal } from '@lintel/contracts';
import { isPlatformError, PlatformError } from '@lintel/errors';
import type { Entity } from '@lintel/metadata';
import { unrecorded } from '@lintel/reading';
import { assertStrongLogin } from '@lintel/security';
import { readMany } from '../read-back/read-many.ts';
import { isDeleted, loadRows, type StoredRow } from '../rows/rows.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { type Key, keyText } from '../values/value.ts';
import type { WriteDependencies } from '../write-dependencies.ts';

/** A key and its text in errors. */
export interface NamedKey {
  readonly key: Key;
  readonly text: string;
}

/**
 * 404 for an instance that is missing, deleted or hidden: the client cannot distinguish the three
 * (contract/errors.md#2).
 */
export const notFound = (entity: Entity, text: string): PlatformError =>
  new PlatformError('DATA_INSTANCE_NOT_FOUND', `Entity ${entity.name} with id ${text} not found`);

/**
 * Loads and locks instances that the caller may see; reading is needed for changing
 * (contract/roles.md#operations).
 *
 * @returns the rows in the order of `keys`
 * @throws PlatformError DATA_INSTANCE_NOT_FOUND naming the first that is not there
 */
export async function loadForChange(...given: Parameters<typeof findForChange>): Promise<readonly StoredRow[]> {
  return (await findForChange(...given)).map((found) => {
    if (isPlatformError(found)) throw found;
    return found;
  });
}

/** The same for instances that are soft-deleted: the others are not there. */
export async function loadDeleted(
  scope: WriteScope,
  entity: Entity,
  keys: readonly NamedKey[],
  principal: Principal,
  deps: WriteDependencies,
): Promise<readonly StoredRow[]> {
  const found = await find(scope, entity, keys, { principal, deps, lock: 'delete', deleted: 'with' });
  return found.map((row, at) => {
    if (isPlatformError(row)) throw row;
    if (!isDeleted(row)) throw notFound(entity, keys[at]?.text ?? '');
    return row;
  });
}

/** Loads them with the error in the place of each instance that is not there. */
export const findForChange = (
  scope: WriteScope,
  entity: Entity,
  keys: readonly NamedKey[],
  principal: Principal,
  deps: WriteDependencies,
  lock: 'update' | 'delete',
): Promise<readonly (StoredRow | PlatformError)[]> => find(scope, entity, keys, { principal, deps, lock });

interface FindOptions {
  readonly principal: Principal;
  readonly deps: WriteDependencies;
  readonly lock: 'update' | 'delete';
  readonly deleted?: 'with' | undefined;
}

async function find(
  scope: WriteScope,
  entity: Entity,
  keys: readonly NamedKey[],
  { principal, deps, lock, deleted }: FindOptions,
): Promise<readonly (StoredRow | PlatformError)[]> {
  if (!canRead(entity, principal, deps)) return keys.map(({ text }) => notFound(entity, text));
  const all = keys.map(({ key }) => key);
  const rows = await loadRows(
    scope.transaction,
    scope.writeModel,
    entity,
    { by: 'key', keys: all },
    { lock, liveOnly: deleted === undefined },
  );
  const visible = await visibleKeys(scope, entity, all, { principal, deps, deleted });
  const found = new Map(rows.map((row) => [keyText(row.key), row]));
  return keys.map(({ key, text }) => {
    const row = found.get(keyText(key));
    return row === undefined || visible?.has(keyText(key)) === false ? notFound(entity, text) : row;
  });
}

/**
 * Whether the caller may read instances of the entity at all.
 *
 * @throws PlatformError AUTH_STEP_UP_REQUIRED if a stronger login has the right
 */
export function canRead(entity: Entity, principal: Principal, deps: WriteDependencies): boolean {
  if (deps.read.loadAccess(principal).read.entity(entity.name).canRead) return true;
  assertStrongLogin(deps.accessOf(principal), (stronger) => stronger.allows(entity.name, 'read'));
  return false;
}

/** The key texts of the instances that the caller sees; undefined if no row-level policy hides any. */
export async function visibleKeys(
  scope: WriteScope,
  entity: Entity,
  keys: readonly Key[],
  { principal, deps, deleted }: Omit<FindOptions, 'lock'>,
): Promise<ReadonlySet<string> | undefined> {
  const access = unrecorded(deps.read.loadAccess(principal));
  const { rows, predicates } = access.read.entity(entity.name);
  const hasConditions = rows !== undefined || predicates.length > 0;
  if (!hasConditions) return undefined;
  return new Set((await readMany(scope, entity, keys, { deleted }, access, deps).result).keys());
}
