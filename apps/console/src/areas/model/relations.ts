import type { AttributeInfo, EntityInfo } from '@lintel/client';

/** A reference between two entities, seen from one of them. */
export interface Relation {
  readonly attribute: string;
  /** The other entity. */
  readonly entity: string;
  readonly cardinality: '1:1' | '1:n' | 'n:1' | 'n:m';
  readonly isComposition: boolean;
}

const CARDINALITIES: Readonly<Record<string, Relation['cardinality']>> = {
  ONE_TO_ONE: '1:1',
  ONE_TO_MANY: '1:n',
  MANY_TO_ONE: 'n:1',
  MANY_TO_MANY: 'n:m',
};

const relationOf = ({ name, type, cardinality, attributeType }: AttributeInfo): Relation | undefined => {
  const known = CARDINALITIES[cardinality];
  if (known === undefined) return undefined;
  return { attribute: name, entity: type, cardinality: known, isComposition: attributeType === 'COMPOSITION' };
};

/** The references of an entity. */
export const relationsOf = (
  { properties }: Pick<EntityInfo, 'properties'>,
  isVisible: (attribute: string) => boolean = () => true,
): readonly Relation[] => properties.filter(({ name }) => isVisible(name)).flatMap((each) => relationOf(each) ?? []);

/** References of other entities to this one. */
export const relationsTo = (
  entityName: string,
  entities: Iterable<EntityInfo>,
  isVisible: (entity: string, attribute: string) => boolean,
): readonly Relation[] =>
  [...entities].flatMap((other) =>
    relationsOf(other, (attribute) => isVisible(other.entityName, attribute))
      .filter(({ entity }) => entity === entityName)
      .map((relation) => ({ ...relation, entity: other.entityName })),
  );
