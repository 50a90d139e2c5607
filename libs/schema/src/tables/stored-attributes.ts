import {
  type Attribute,
  type Column,
  columnsOf,
  type Entity,
  embeddedPrefix,
  entityOf,
  type Model,
} from '@lintel/metadata';

/** An attribute that is stored in the entity's own table, embedded ones flattened. */
export interface StoredAttribute {
  /** Path inside the entity: `number`, `address.city`. */
  readonly path: string;
  readonly attribute: Exclude<Attribute, { kind: 'embedded' }>;
  /** Prefix of its columns: `address_`. */
  readonly prefix: string;
  readonly columns: readonly Column[];
}

function flatten(model: Model, attribute: Attribute, path: string, prefix: string): readonly StoredAttribute[] {
  if (!attribute.persistent) return [];
  if (attribute.kind !== 'embedded') {
    return [{ path, attribute, prefix, columns: columnsOf(model, attribute, prefix) }];
  }
  return [...entityOf(model, attribute.target).attributes.values()].flatMap((inner) =>
    flatten(model, inner, `${path}.${inner.name}`, embeddedPrefix(attribute, prefix)),
  );
}

/** The attributes that the entity itself adds to those of its ancestors. */
export const storedAttributesOf = (model: Model, entity: Entity): readonly StoredAttribute[] =>
  [...entity.attributes.values()]
    .filter((attribute) => attribute.declaredBy === entity.name)
    .flatMap((attribute) => flatten(model, attribute, attribute.name, ''));
