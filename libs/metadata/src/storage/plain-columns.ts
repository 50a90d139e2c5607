import type { Attribute, DatatypeAttribute, EnumAttribute } from '../entities/attribute.ts';
import type { Entity } from '../entities/entity.ts';
import { entityOf, type Model } from '../model.ts';
import { type Column, columnsOf, embeddedPrefix } from './storage-map.ts';

/** A column that holds the value of an attribute that is no reference. */
export interface PlainColumn {
  /** Path of the attribute: `number`, `id.position`. */
  readonly path: string;
  readonly attribute: DatatypeAttribute | EnumAttribute;
  readonly column: Column;
}

/**
 * The columns of the entity's own table that are those of attributes other than references, the key's first. A reference
 * may be declared over such columns: its value then follows from theirs.
 */
export function plainColumnsOf(model: Model, entity: Entity): readonly PlainColumn[] {
  const attributes = [...entity.attributes.values()];
  const isKey = ({ name }: Attribute): boolean => name === entity.key?.attribute;
  return [
    ...attributes.filter(isKey),
    ...attributes.filter((attribute) => attribute.declaredBy === entity.name && !isKey(attribute)),
  ].flatMap((attribute) => flatten(model, attribute, attribute.name, ''));
}

function flatten(model: Model, attribute: Attribute, path: string, prefix: string): readonly PlainColumn[] {
  switch (attribute.kind) {
    case 'datatype':
    case 'enum':
      return columnsOf(model, attribute, prefix).map((column) => ({ path, attribute, column }));
    case 'embedded': {
      const inside = embeddedPrefix(attribute, prefix);
      const inner = attribute.persistent ? [...entityOf(model, attribute.target).attributes.values()] : [];
      return inner.flatMap((each) => flatten(model, each, `${path}.${each.name}`, inside));
    }
    case 'reference':
    case 'elements':
      return [];
    default:
      return attribute satisfies never;
  }
}
