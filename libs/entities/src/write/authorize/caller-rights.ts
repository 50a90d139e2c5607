import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { type Entity, entityOf, type Model } from '@lintel/metadata';
import { type ExactJson, formatEntityId, idOf, isExactObject, keyInSql, readExactJson } from '@lintel/query';
import {
  type CallerAccess,
  prepareReadBack,
  type ReadBackOptions,
  readBack,
  readEach,
  unrecorded,
} from '@lintel/reading';
import { readMany } from '../read-back/read-many.ts';
import type { WriteRights, WriteScope } from '../scope/write-scope.ts';
import { type Key, keyText } from '../values/value.ts';
import type { WriteDependencies } from '../write-dependencies.ts';
import { ownerWrites } from './owner-writes.ts';

/** Whether row conditions or predicates may hide instances of the entity from the caller. */
const hidesRows = (access: CallerAccess, entity: string): boolean => {
  const { rows, predicates } = access.read.entity(entity);
  return rows !== undefined || predicates.length > 0;
};

/**
 * The keys among `keys` whose instances the caller may see: by the read read itself, inside the
 * transaction, so that reading and writing never disagree.
 */
async function visibleAmong(
  deps: WriteDependencies,
  scope: WriteScope,
  access: CallerAccess,
  entity: Entity,
  keys: readonly Key[],
): Promise<ReadonlySet<string>> {
  return new Set((await readMany(scope, entity, keys, {}, access, deps).result).keys());
}

/** The same for all kinds of keys, and without a right to read: always one statement. */
async function shownAmong(
  deps: WriteDependencies,
  scope: WriteScope,
  access: CallerAccess,
  {
    entity,
    keys,
    deleted,
  }: Pick<ReadBackOptions, 'deleted'> & { readonly entity: Entity; readonly keys: readonly Key[] },
): Promise<ReadonlySet<string>> {
  const read = prepareReadBack(entity, undefined, access, deps.read, { deleted });
  if (read === undefined) return new Set();
  const ids = keys.map((key) => keyInSql(scope.model, entity, key));
  const found = await readEach(read, ids, scope.transaction, undefined);
  return new Set(keys.filter((_, at) => found.has(at)).map(keyText));
}

const hasMember = (json: ExactJson, [name, ...rest]: readonly string[]): boolean =>
  name === undefined ? json !== null : isExactObject(json) && json[name] !== undefined && hasMember(json[name], rest);

/**
 * The limits of the caller's roles. A right to read is not needed to keep a link (contract/roles.md#attributes-write).
 *
 * @param deleted whether the write may change soft-deleted rows; else row-level policies refuse them
 */
export function callerRights(
  deps: WriteDependencies,
  scope: WriteScope,
  principal: Principal,
  deleted?: 'with',
): WriteRights {
  const access = deps.accessOf(principal);
  const caller = unrecorded(deps.read.loadAccess(principal));
  const { unreadableFiles } = deps;
  const mayHide = (name: string): boolean => caller.read.entity(name).canRead && hidesRows(caller, name);
  const assertRows = deps.rowPolicies.assertFor(principal, (entity, keys, limited) =>
    shownAmong(deps, scope, limited, { entity, keys, deleted }),
  );
  return {
    access,
    showsReference: async (entity, key, path, target) => {
      if (!mayHide(target)) return true;
      const plan = JSON.stringify({ entity: entity.name, properties: [path] });
      const shown = await readBack(
        entity,
        keyInSql(scope.model, entity, key),
        plan,
        caller,
        deps.read,
        scope.transaction,
      );
      return shown !== undefined && hasMember(readExactJson(shown.json), path.split('.'));
    },
    assertRows:
      assertRows &&
      (async (state, rows) => {
        await assertRows(state, rows);
        const owners = await ownerWrites(scope, rows);
        if (owners.length > 0) await assertRows(state, owners);
      }),
    delegation: deps.delegatedRows?.assertFor(principal, scope.transaction),
    ...(deps.readPoliciesBindWrites
      ? {
          referable: {
            isBound: (name: string) => hidesRows(caller, name),
            visibleKeys: (entity: Entity, keys: readonly Key[]) => visibleAmong(deps, scope, caller, entity, keys),
          },
        }
      : {}),
    unreadableFiles: unreadableFiles && ((fileRefs) => unreadableFiles(fileRefs, principal, scope.transaction)),
    assertToken:
      deps.read.tokens === undefined ? undefined : tokenCheck(scope.model, (name) => hidesRows(caller, name)),
    visibleKeys: async (name, keys) => {
      const entity = entityOf(scope.model, name);
      return mayHide(name) ? visibleAmong(deps, scope, caller, entity, keys) : new Set(keys.map(keyText));
    },
  };
}

/**
 * Changing a stored instance requires its security token if one of the sent references, or a child's reference to its
 * parent, refers to an entity whose rows are limited by rules, whether or not a row is actually hidden
 * (contract/row-policies.md#security-token).
 */
const tokenCheck =
  (model: Model, hidesRows: (entity: string) => boolean): WriteRights['assertToken'] =>
  (input, stored, parentPath) => {
    if (input.hiddenAtRead !== undefined) return;
    const names = [...input.values.keys(), ...input.children.keys(), ...(parentPath === undefined ? [] : [parentPath])];
    const isAsked = names.some((name) => {
      const attribute = stored.entity.attributes.get(name);
      return attribute?.kind === 'reference' && hidesRows(attribute.target);
    });
    if (!isAsked) return;
    const id = formatEntityId(model, stored.entity, idOf(model, stored.entity, stored.key));
    throw new PlatformError(
      'ACCESS_DENIED',
      `Could not read export/import token from entity ${stored.entity.name}-${id}.`,
    );
  };
