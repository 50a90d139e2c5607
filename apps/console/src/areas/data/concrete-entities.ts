import type { DetailedEntityInfo } from '@lintel/client';
import type { Rights } from '@lintel/react';

interface Known {
  readonly entities: ReadonlyMap<string, DetailedEntityInfo>;
  readonly rights: Pick<Rights, 'may'>;
}

/**
 * The entities of which a new instance of the entity can be: itself, unless it is abstract, and those that extend it, as
 * far as the user may create them.
 */
export function concreteEntitiesOf({ entities, rights }: Known, name: string): readonly string[] {
  return [...entities.values()]
    .filter(({ abstract, kind }) => !abstract && kind === 'entity')
    .map(({ entityName }) => entityName)
    .filter((each) => extendsEntity(entities, each, name) && rights.may(each, 'create'));
}

function extendsEntity(entities: Known['entities'], name: string, ancestor: string): boolean {
  for (let at: string | null | undefined = name; at !== null && at !== undefined; at = entities.get(at)?.ancestor)
    if (at === ancestor) return true;
  return false;
}
