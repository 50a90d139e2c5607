import {
  type Attribute,
  type Column,
  columnsOf,
  type Entity,
  embeddedPrefix,
  entityOf,
  familyTreeOf,
  type Model,
  storingEntity,
} from '@lintel/metadata';

/** An attribute that is stored in the entity's own table, embedded ones flattened. */
export interface StoredAttribute {
  /** The entity that adds it. */
  readonly entity: string;
  /** Path inside the entity: `number`, `address.city`. */
  readonly path: string;
  readonly attribute: Exclude<Attribute, { kind: 'embedded' }>;
  /** Prefix of its columns: `address_`. */
  readonly prefix: string;
  readonly columns: readonly Column[];
}

type Flattened = Omit<StoredAttribute, 'entity'>;

function flatten(model: Model, attribute: Attribute, path: string, prefix: string): readonly Flattened[] {
  if (!attribute.persistent) return [];
  if (attribute.kind !== 'embedded') {
    return [{ path, attribute, prefix, columns: columnsOf(model, attribute, prefix) }];
  }
  return [...entityOf(model, attribute.target).attributes.values()].flatMap((inner) =>
    flatten(model, inner, `${path}.${inner.name}`, embeddedPrefix(attribute, prefix)),
  );
}

/** The entities whose own attributes are in the table of an entity: itself, and in a single table its descendants. */
export const storedFamilyOf = (model: Model, entity: Entity): readonly Entity[] =>
  familyTreeOf(model, entity).filter((one) => storingEntity(model, one) === entity);

/**
 * The attributes in the table of an entity: those that it adds to its ancestors'. Those of descendants in a single table
 * are null in rows of other entities.
 */
export const storedAttributesOf = (model: Model, entity: Entity): readonly StoredAttribute[] =>
  storedFamilyOf(model, entity).flatMap((one) =>
    [...one.attributes.values()]
      .filter((attribute) => attribute.declaredBy === one.name)
      .flatMap((attribute) => flatten(model, attribute, attribute.name, ''))
      .map((stored) => ({ ...(one === entity ? stored : optional(stored)), entity: one.name })),
  );

const optional = (stored: Flattened): Flattened => ({
  ...stored,
  columns: stored.columns.map((column) => ({ ...column, nullable: true })),
});
