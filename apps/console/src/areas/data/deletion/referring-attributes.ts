import type { DetailedAttributeInfo } from '@lintel/client';
import type { Model } from '../../../context.ts';

/** A reference of another entity. */
export interface ReferringAttribute {
  readonly entity: string;
  readonly attribute: DetailedAttributeInfo;
}

/** The stored references to an entity, or to one that it extends, that the user may see, dynamic ones too. */
export function referringAttributes(
  { entities, rights }: Pick<Model, 'entities' | 'rights'>,
  target: string,
): readonly ReferringAttribute[] {
  const lineage = new Set<string>();
  for (let name: string | null | undefined = target; typeof name === 'string'; name = entities.get(name)?.ancestor)
    lineage.add(name);
  return [...entities.values()]
    .filter(({ entityName, kind }) => kind === 'entity' && rights.may(entityName, 'read'))
    .flatMap(({ entityName: entity, properties, dynamicProperties = [] }) => [
      ...properties
        .filter(
          ({ name, attributeType, type, owning, persistent }) =>
            (attributeType === 'ASSOCIATION' || attributeType === 'COMPOSITION') &&
            owning === true &&
            persistent &&
            lineage.has(type) &&
            rights.mayView(entity, name),
        )
        .map((attribute) => ({ entity, attribute })),
      // Rights know no dynamic attributes: that to read the instance counts.
      ...dynamicProperties
        .filter(({ attributeType, type }) => attributeType === 'ASSOCIATION' && lineage.has(type))
        .map((attribute) => ({ entity, attribute })),
    ]);
}
