import type { Entity, Model } from '@lintel/metadata';
import { hasCompositeKey, keyPartsOf } from '@lintel/query';
import { jsonScalar } from './json-value.ts';

/**
 * An id as responses contain it (contract/decisions.md#7): integer and long keys as numbers, other single keys as
 * texts, composite keys as objects.
 *
 * @throws TypeError if the value is not an id of the entity
 */
export function idForm(model: Model, entity: Entity, id: unknown): unknown {
  if (entity.key === undefined) return id;
  const parts = keyPartsOf(model, entity);
  if (!hasCompositeKey(entity)) return parts[0]?.type.kind === 'datatype' ? jsonScalar(parts[0].type.datatype, id) : id;
  if (typeof id !== 'object' || id === null) throw new TypeError(`A value is no id of ${entity.name}`);
  const members = id as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    parts.map(({ name, type }) => [
      name,
      type.kind === 'datatype' ? jsonScalar(type.datatype, members[name]) : members[name],
    ]),
  );
}
