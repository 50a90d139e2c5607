import {
  type Attribute,
  type Entity,
  entityOf,
  familyTreeOf,
  isSoftDeleted,
  lineageOf,
  type Model,
  type ReferenceAttribute,
} from '@lintel/metadata';

/** A scalar, the id of a referred instance, the texts of an element collection, or the sorted ids of M:N members. */
export type WorldValue = null | string | number | boolean | readonly string[];

/** A stored instance. Values by attribute path, without the inverse ends of associations. */
export interface Row {
  readonly entity: string;
  readonly id: string;
  readonly version: number;
  readonly isDeleted: boolean;
  readonly modifiedBy: string | null;
  readonly values: Readonly<Record<string, WorldValue>>;
}

/** All rows by id, deleted ones too. Ids are unique in the whole world. */
export type World = ReadonlyMap<string, Row>;

/** A value that is stored in a row itself: its path, and its embedded attribute, if any. */
export interface Kept {
  readonly path: string;
  readonly attribute: Attribute;
  readonly inside: Attribute | undefined;
}

const isSystem = (entity: Entity, name: string): boolean => Object.values(entity.system).includes(name);

/** The values that a row of the entity stores, from the model. */
export function keptBy(model: Model, entity: Entity): readonly Kept[] {
  return [...entity.attributes.values()].flatMap((attribute): readonly Kept[] => {
    if (!attribute.persistent || attribute.name === 'id' || isSystem(entity, attribute.name)) return [];
    if (attribute.kind === 'embedded')
      return [...entityOf(model, attribute.target).attributes.values()].map((inner) => ({
        path: `${attribute.name}.${inner.name}`,
        attribute: inner,
        inside: attribute,
      }));
    if (attribute.kind === 'reference' && !attribute.owning) return [];
    return [{ path: attribute.name, attribute, inside: undefined }];
  });
}

export const isMany = ({ cardinality }: ReferenceAttribute): boolean =>
  cardinality === 'ONE_TO_MANY' || cardinality === 'MANY_TO_MANY';

/** Whether the row belongs to the entity or to a descendant. */
export const isOf = (model: Model, row: Row, entity: string): boolean =>
  lineageOf(model, entityOf(model, row.entity)).some(({ name }) => name === entity);

/** Rows of an entity and its descendants, deleted ones too. */
export const rowsOf = (model: Model, world: World, entity: string): readonly Row[] =>
  [...world.values()].filter((row) => isOf(model, row, entity));

export const isMarkable = (model: Model, row: Row): boolean => isSoftDeleted(entityOf(model, row.entity));

/** References from one row to another, by the columns of the rows, M:N members included. */
export const refersTo = (row: Row, path: string, id: string): boolean => {
  const value = row.values[path] ?? null;
  return Array.isArray(value) ? value.includes(id) : value === id;
};

export const familyOf = (model: Model, entity: string): readonly string[] =>
  familyTreeOf(model, entityOf(model, entity)).map(({ name }) => name);
