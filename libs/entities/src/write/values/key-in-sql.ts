import type { Entity, Model } from '@lintel/metadata';
import { keyPartsOf, parseEntityId, type SqlValue } from '@lintel/query';
import { canonicalScalar } from './canonical-scalar.ts';
import { fromColumn, toParameter } from './column-value.ts';
import type { Key, Scalar } from './value.ts';

/** The key as the read pipeline expects it: parts as statement parameters, in the order of the key columns. */
export const keyInSql = (model: Model, entity: Entity, key: Key): readonly SqlValue[] =>
  keyPartsOf(model, entity).map((part, at) => toParameter(part.type, key[at] ?? null));

/**
 * The key that a path names, in canonical form.
 *
 * @throws PlatformError REQ_INVALID_ENTITY_ID
 */
export function keyOfPath(model: Model, entity: Entity, text: string): Key {
  const values = parseEntityId(model, entity, text);
  return keyPartsOf(model, entity).map((part, at): Scalar => {
    const value = values[at] ?? null;
    if (part.type.kind === 'enum') return fromColumn(part.type, value);
    return canonicalScalar(part.type, typeof value === 'number' ? String(value) : value)?.value ?? null;
  });
}
