import type { Attribute } from './attribute.ts';
import type { Entity } from './entity.ts';

/** Whether the values of an attribute are about a person: it is marked, or computed of such ones. */
export function isPersonal(entity: Pick<Entity, 'attributes'>, attribute: Attribute): boolean {
  if (attribute.kind === 'reference') return false;
  return (
    attribute.personal === true ||
    attribute.dependsOn.some((name) => {
      const needed = entity.attributes.get(name);
      return needed !== undefined && needed !== attribute && isPersonal(entity, needed);
    })
  );
}
