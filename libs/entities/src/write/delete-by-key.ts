import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { Entity } from '@lintel/metadata';
import { type ExactObject, resolveEntity } from '@lintel/query';
import { assertAllowed } from './authorize/assert-allowed.ts';
import { DELETED, removeLoaded } from './delete-entities.ts';
import { withIdempotency } from './idempotency/with-idempotency.ts';
import { ID_KEY } from './model/match-keys.ts';
import { cannotDeserialize } from './parse/deserialization-error.ts';
import { readKey } from './parse/parse-key.ts';
import type { WriteResponse } from './respond/write-response.ts';
import { isIdKey } from './upsert/named-key.ts';
import { findStored, type KeyedElement, keyedElements } from './upsert/upsert-items.ts';
import { matchKeyOf, receiveUpsert, type UpsertRequest } from './upsert-entities.ts';
import { keyText } from './values/value.ts';
import { beginCall, type WriteCall } from './write-call.ts';
import type { WriteDependencies } from './write-dependencies.ts';

/**
 * Deletes the instances that an upsert of the same elements would find, by their keys alone (contract/imports.md#modes).
 *
 * @throws PlatformError DATA_INSTANCE_NOT_FOUND if one is not there: nothing is deleted then
 */
export async function deleteByKey(
  request: UpsertRequest,
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<WriteResponse> {
  const call = beginCall(request, principal, deps, signal);
  const entity = resolveEntity(call.model, request.entityName);
  assertAllowed(call.access, entity, 'delete');
  const match = matchKeyOf(call, entity);
  const body = await receiveUpsert(call, entity);
  return withIdempotency(request, principal, deps, signal, async (scope) => {
    const elements = await keyedElements(call, scope, body, match);
    if (isIdKey(match)) for (const element of elements) assertOneId(call, entity, element);
    const { rows } = await findStored(call, scope, entity, { match, elements, lock: 'delete' });
    const found = rows.filter((row) => row !== undefined);
    if (found.length < elements.length) throw new PlatformError('DATA_INSTANCE_NOT_FOUND', 'There is no such instance');
    await removeLoaded(request, scope, found, principal, deps);
    return DELETED;
  });
}

/** `id` precedes the name of its attribute (contract/writing.md#create): another id there might be the one to delete. */
function assertOneId({ model }: Pick<WriteCall, 'model'>, entity: Entity, { json, path }: KeyedElement): void {
  const name = entity.key?.attribute ?? ID_KEY;
  const members = json as ExactObject;
  const own = members[name] ?? null;
  if (own === null) return;
  const keys = [members[ID_KEY] ?? own, own].map((sent) => readKey(model, entity, sent));
  if (new Set(keys.map((key) => key && keyText(key))).size > 1)
    throw cannotDeserialize(`Attribute '${path}.${name}' is another id than 'id'`);
}
