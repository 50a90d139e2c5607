import { type Entity, lineageOf, type Model } from '@lintel/metadata';
import { cannotDeserialize } from './deserialization-error.ts';

const memberPath = (path: string): string => (path === '' ? '_entityName' : `${path}._entityName`);

/**
 * A new instance needs an entity that has instances of its own.
 *
 * @param path path from the sent root
 * @throws PlatformError REQ_CANNOT_DESERIALIZE naming the entities to choose from
 */
export function assertConcrete(entity: Entity, path: string): void {
  if (!entity.abstract) return;
  const names = entity.descendants.join(' or ');
  throw cannotDeserialize(`${entity.name} has no instances of its own: '${memberPath(path)}' must name ${names}`);
}

/**
 * The entity of an instance cannot change: an update may name the instance's own entity or one of its ancestors.
 *
 * @throws PlatformError REQ_CANNOT_DESERIALIZE
 */
export function assertUnchangedEntity(model: Model, named: Entity, stored: Entity, path: string): void {
  if (lineageOf(model, stored).includes(named)) return;
  throw cannotDeserialize(`'${memberPath(path)}' must name ${stored.name}`);
}
