import type { Entity } from '@lintel/metadata';
import { type ExactJson, ExactNumber, hasCompositeKey, isExactObject } from '@lintel/query';
import type { InstanceId } from './load-instances.ts';
import { invalidParameter, kindOf } from './parse-scalar.ts';

/**
 * Returns the id in a `value` of an ENTITY parameter, or in an item of an ENTITY_LIST one: text, a number, an object
 * with the parts of a composite key, or a reference `{"id": …}` (contract/instances.md#references).
 *
 * @throws REPORT_INVALID_PARAMETER naming the alias
 */
export function submittedId(alias: string, value: ExactJson, entity: Entity): InstanceId {
  const id = isExactObject(value) ? idIn(value, entity) : value;
  if (typeof id === 'string') return id;
  if (id instanceof ExactNumber) return id.text;
  if (isExactObject(id) && hasCompositeKey(entity)) return id;
  throw invalidParameter(alias, kindOf(value), 'an id');
}

/** A part of a composite key may be named `id` as well; a reference has the parts in an object. */
function idIn(value: Readonly<Record<string, ExactJson>>, entity: Entity): ExactJson {
  const id = Object.hasOwn(value, 'id') ? (value['id'] ?? null) : null;
  return hasCompositeKey(entity) && !isExactObject(id) && typeof id !== 'string' ? value : id;
}

/**
 * Returns the ids in a `value` of an ENTITY_LIST parameter.
 *
 * @throws REPORT_INVALID_PARAMETER naming the alias
 */
export function submittedIds(alias: string, value: ExactJson, entity: Entity): readonly InstanceId[] {
  if (!Array.isArray(value))
    throw invalidParameter(alias, typeof value === 'string' ? `'${value}'` : kindOf(value), 'an array of ids');
  return (value as readonly ExactJson[]).map((item) => submittedId(alias, item, entity));
}
