import {
  type ArrayAttribute,
  type Attribute,
  columnOf,
  type ElementsAttribute,
  type Entity,
  elementsTableOf,
  embeddedPrefix,
  entityOf,
  foreignColumnsOf,
  isArray,
  isSoftDeleted,
  keyColumnsOf,
  linkTableOf,
  type Model,
  plainColumnsOf,
  type ReferenceAttribute,
  rootOf,
  storageOf,
  tableOf,
} from '@lintel/metadata';
import {
  EntitySchema,
  type EntitySchemaColumnOptions,
  type EntitySchemaEmbeddedColumnOptions,
  type EntitySchemaRelationOptions,
} from 'typeorm';
import { attributeValues, datatypeValues, enumValues } from './column-values.ts';

/** The property of the column with the name of the concrete entity. */
export const CONCRETE_ENTITY = '_entityName';

/** The parts of a schema, of an entity or of an embeddable. */
interface Parts {
  readonly columns: Record<string, EntitySchemaColumnOptions>;
  readonly relations: Record<string, EntitySchemaRelationOptions>;
  readonly embeddeds: Record<string, EntitySchemaEmbeddedColumnOptions>;
}

/** The location of attributes: in the entity itself, or below an embedded attribute of it. */
interface Position {
  readonly entity: Entity;
  /** Path of the embedded attribute: `address`; empty for the entity itself. */
  readonly path: string;
  readonly prefix: string;
  /** The attributes are the parts of the key. */
  readonly isKey: boolean;
}

/**
 * Returns TypeORM's schemas of the entities of a model, under the same names, with the attributes as properties. The
 * schema of an entity that inherits has its own attributes and the key; inherited attributes are in the schema of its
 * ancestor, as they are in the tables. Entities without a key have none: TypeORM needs one. Collections of single values are schemas of their own, `<entity>.<attribute>`.
 */
export const applicationSchemas = (model: Model): readonly EntitySchema[] =>
  [...model.entities.values()]
    .filter(({ kind, key }) => kind === 'entity' && key !== undefined)
    .flatMap((entity) => [entitySchema(model, entity), ...elementSchemas(model, entity)]);

function entitySchema(model: Model, entity: Entity): EntitySchema {
  const { schema, name } = tableOf(entity);
  const attributes = [...entity.attributes.values()].filter(
    (attribute) => attribute.declaredBy === entity.name || attribute.name === entity.key?.attribute,
  );
  const { columns, relations, embeddeds } = partsOf(model, attributes, { entity, path: '', prefix: '', isKey: false });
  const { discriminator } = storageOf(model, entity);
  if (discriminator !== undefined)
    columns[CONCRETE_ENTITY] = { type: 'varchar', name: discriminator.name, update: false };
  return new EntitySchema<object>({
    name: entity.name,
    schema,
    tableName: name,
    columns,
    relations,
    embeddeds,
  } as ConstructorParameters<typeof EntitySchema>[0]);
}

function partsOf(model: Model, attributes: readonly Attribute[], position: Position): Parts {
  const parts: Parts = { columns: {}, relations: {}, embeddeds: {} };
  for (const attribute of attributes.filter(({ persistent }) => persistent))
    addAttribute(model, attribute, position, parts);
  return parts;
}

function addAttribute(model: Model, attribute: Attribute, position: Position, parts: Parts): void {
  switch (attribute.kind) {
    case 'datatype':
    case 'enum':
      parts.columns[attribute.name] = columnOptions(model, attribute, position);
      return;
    case 'embedded':
      parts.embeddeds[attribute.name] = embeddedOptions(model, attribute, position);
      return;
    case 'reference': {
      const relation = relationOptions(model, attribute, position);
      if (relation === undefined) addForeignColumns(model, attribute, position, parts);
      else parts.relations[attribute.name] = relation;
      return;
    }
    case 'elements':
      if (isArray(attribute)) parts.columns[attribute.name] = arrayOptions(model, attribute);
      return;
    default:
      attribute satisfies never;
  }
}

/** Elements are values of the driver, without a conversion. */
const arrayOptions = (model: Model, attribute: ArrayAttribute): EntitySchemaColumnOptions => ({
  type: datatypeValues(attribute.datatype).type,
  array: true,
  name: columnOf(model, attribute).name,
  nullable: !attribute.mandatory,
});

function columnOptions(
  model: Model,
  attribute: Extract<Attribute, { kind: 'datatype' | 'enum' }>,
  { entity, path, prefix, isKey }: Position,
): EntitySchemaColumnOptions {
  const { key, system } = entity;
  const isOfEntity = path === '';
  const isPrimary = isKey || (isOfEntity && key?.attribute === attribute.name);
  const isIdentity = isPrimary && key?.generation === 'identity' && entity.ancestor === undefined;
  return {
    ...(attribute.kind === 'enum' ? enumValues(model, attribute) : attributeValues(attribute)),
    name: isPrimary ? keyColumnName(model, entity, attribute, prefix) : columnOf(model, attribute, prefix).name,
    nullable: !attribute.mandatory || !isOfEntity,
    ...(isPrimary ? { primary: true } : {}),
    // TypeORM's types name only the older strategies.
    ...(isIdentity ? { generated: 'identity' as 'increment' } : {}),
    ...(attribute.secret ? { select: false } : {}),
    ...(attribute.generated === true ? { insert: false, update: false } : {}),
    ...(isOfEntity && system.version === attribute.name ? { version: true } : {}),
    ...(isOfEntity && system.deletedDate === attribute.name ? { deleteDate: true } : {}),
  };
}

/** The column of a part of the key in the entity's own table, which can name it otherwise than its ancestor's. */
function keyColumnName(model: Model, entity: Entity, attribute: Attribute, prefix: string): string {
  const { name } = columnOf(model, attribute, prefix);
  const at = keyColumnsOf(model, rootOf(model, entity)).findIndex((column) => column.name === name);
  return keyColumnsOf(model, entity)[at]?.name ?? name;
}

/** Creates a schema for each use, with full column names: TypeORM would spell prefixes in another way. */
function embeddedOptions(
  model: Model,
  attribute: Extract<Attribute, { kind: 'embedded' }>,
  { entity, path, prefix, isKey }: Position,
): EntitySchemaEmbeddedColumnOptions {
  const inner = path === '' ? attribute.name : `${path}.${attribute.name}`;
  const attributes = [...entityOf(model, attribute.target).attributes.values()];
  const parts = partsOf(model, attributes, {
    entity,
    path: inner,
    prefix: embeddedPrefix(attribute, prefix),
    isKey: isKey || entity.key?.attribute === inner,
  });
  const options = { name: `${entity.name}.${inner}`, ...parts } as ConstructorParameters<typeof EntitySchema>[0];
  return { schema: new EntitySchema(options), prefix: false };
}

const isComposite = ({ key }: Entity): boolean => (key?.parts.length ?? 0) > 0;

/** The inverse reference, where the schema of the target contains it. */
function inverseOf(
  model: Model,
  attribute: ReferenceAttribute,
  { entity, path }: Position,
): ReferenceAttribute | undefined {
  const target = entityOf(model, attribute.target);
  const other = attribute.inverse === undefined ? undefined : target.attributes.get(attribute.inverse);
  const isMapped = path === '' && other?.kind === 'reference' && other.declaredBy === target.name;
  return isMapped && other.target === entity.name ? other : undefined;
}

/**
 * Returns a relation of TypeORM; undefined for references that it cannot map: those to composite keys, those whose
 * inverse is inherited or embedded, and those over columns of other attributes.
 */
function relationOptions(
  model: Model,
  attribute: ReferenceAttribute,
  position: Position,
): EntitySchemaRelationOptions | undefined {
  const target = entityOf(model, attribute.target);
  if (isComposite(target) || (isComposite(position.entity) && !isOwningToOne(attribute))) return undefined;
  const inverse = inverseOf(model, attribute, position);
  if (!attribute.owning && inverse === undefined) return undefined;
  if (isOverSharedColumns(model, attribute, position, inverse)) return undefined;
  const common = {
    target: target.name,
    nullable: !attribute.mandatory,
    createForeignKeyConstraints: false,
    ...(inverse === undefined ? {} : { inverseSide: inverse.name }),
    ...(attribute.composition ? { cascade: ['insert', 'update'] as ('insert' | 'update')[] } : {}),
  };
  switch (attribute.cardinality) {
    case 'ONE_TO_MANY':
      return { ...common, type: 'one-to-many' };
    case 'MANY_TO_MANY':
      if (!attribute.owning) return { ...common, type: 'many-to-many' };
      return manyToMany(model, attribute, position.entity, common);
    case 'ONE_TO_ONE':
      if (!attribute.owning) return { ...common, type: 'one-to-one' };
      return { ...common, ...joinedBy(model, attribute, position), type: 'one-to-one' };
    case 'MANY_TO_ONE':
      return {
        ...common,
        ...joinedBy(model, attribute, position),
        type: 'many-to-one',
        ...(inverse?.composition === true ? { orphanedRowAction: orphanAction(position.entity) } : {}),
      };
    default:
      return attribute.cardinality satisfies never;
  }
}

function isOverSharedColumns(
  model: Model,
  attribute: ReferenceAttribute,
  position: Position,
  inverse: ReferenceAttribute | undefined,
): boolean {
  if (attribute.owning) return sharedColumns(model, attribute, position).size > 0;
  const target = entityOf(model, attribute.target);
  return (
    inverse !== undefined &&
    sharedColumns(model, inverse, { entity: target, path: '', prefix: '', isKey: false }).size > 0
  );
}

const isOwningToOne = ({ owning, cardinality }: ReferenceAttribute): boolean =>
  owning && cardinality !== 'MANY_TO_MANY';

/** The action for a part that is removed from its composition. */
const orphanAction = (entity: Entity) => (isSoftDeleted(entity) ? ('soft-delete' as const) : ('delete' as const));

const joinedBy = (model: Model, attribute: ReferenceAttribute, { prefix }: Position) => ({
  joinColumn: foreignColumnsOf(model, attribute, prefix).map(({ name }) => ({
    name,
    referencedColumnName: entityOf(model, attribute.target).key?.attribute ?? 'id',
  })),
});

function manyToMany(
  model: Model,
  attribute: ReferenceAttribute,
  entity: Entity,
  common: Pick<EntitySchemaRelationOptions, 'target'>,
): EntitySchemaRelationOptions | undefined {
  const link = linkTableOf(model, entity, attribute);
  // TypeORM takes the link table from the schema of its owner.
  if (link.schema !== tableOf(entity).schema) return undefined;
  const target = entityOf(model, attribute.target);
  const columns = (found: typeof link.ownColumns, owner: Entity) =>
    found.map(({ name }) => ({ name, referencedColumnName: owner.key?.attribute ?? 'id' }));
  return {
    ...common,
    type: 'many-to-many',
    joinTable: {
      name: link.name,
      joinColumns: columns(link.ownColumns, entity),
      inverseJoinColumns: columns(link.targetColumns, target),
    },
  };
}

/** A reference without a relation is read and written by its columns, under their own names. */
function addForeignColumns(model: Model, attribute: ReferenceAttribute, position: Position, { columns }: Parts): void {
  const shared = sharedColumns(model, attribute, position);
  for (const { name, nullable } of foreignColumnsOf(model, attribute, position.prefix))
    if (!shared.has(name)) columns[name] = { type: 'varchar', name, nullable };
}

/** Columns of a reference that are mapped already, as those of other attributes. */
function sharedColumns(model: Model, attribute: ReferenceAttribute, { entity, prefix }: Position): ReadonlySet<string> {
  const plain = new Set(plainColumnsOf(model, entity).map(({ column }) => column.name));
  const names = foreignColumnsOf(model, attribute, prefix).map(({ name }) => name);
  return new Set(names.filter((name) => plain.has(name)));
}

const elementSchemas = (model: Model, entity: Entity): readonly EntitySchema[] =>
  [...entity.attributes.values()]
    .filter((attribute): attribute is ElementsAttribute => attribute.kind === 'elements' && !isArray(attribute))
    .filter(({ declaredBy }) => declaredBy === entity.name)
    .map((attribute) => {
      const { schema, name, ownerColumns, positionColumn, valueColumn } = elementsTableOf(model, attribute);
      const owners = ownerColumns.map((column) => [column.name, { type: 'varchar', primary: true }] as const);
      return new EntitySchema<object>({
        name: `${entity.name}.${attribute.name}`,
        schema,
        tableName: name,
        columns: {
          ...Object.fromEntries(owners),
          position: { type: 'integer', name: positionColumn.name, primary: true },
          value: { ...datatypeValues(attribute.datatype), name: valueColumn.name },
        },
      } as ConstructorParameters<typeof EntitySchema>[0]);
    });
