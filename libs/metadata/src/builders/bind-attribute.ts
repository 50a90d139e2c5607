import type { Attribute, ChildVisibility, DatatypeAttribute } from '../entities/attribute.ts';
import type { AttributeDefinition } from './attribute-builder.ts';
import type { EntityDefinition } from './entity-builder.ts';

/** The definitions of a model by their names. */
export type Definitions = ReadonlyMap<string, EntityDefinition>;

const isOneToOne = ({ cardinality, unique }: AttributeDefinition): boolean =>
  cardinality === 'ONE_TO_ONE' || (cardinality === 'MANY_TO_ONE' && unique === true);

/** A child of a 1:1 composition does not choose its parent. */
function isParentOfChild(definition: AttributeDefinition, definitions: Definitions): boolean {
  const { owning, cardinality, target = '', inverse = '' } = definition;
  if (owning !== false || cardinality !== 'ONE_TO_ONE') return false;
  return definitionOf(definitions, target, inverse)?.composition === true;
}

/** The definition of an attribute of an entity or of its nearest ancestor that has it. */
function definitionOf(definitions: Definitions, entity: string, name: string): AttributeDefinition | undefined {
  const owner = definitions.get(entity);
  if (owner === undefined) return undefined;
  const own = owner.attributes[name]?.definition;
  return own ?? (owner.ancestor === undefined ? undefined : definitionOf(definitions, owner.ancestor, name));
}

/** Models without one have the same version as before. */
const visibilityOf = (
  { visibility }: AttributeDefinition,
  byDefault: ChildVisibility | undefined,
): { readonly visibility?: ChildVisibility } => {
  const chosen = visibility ?? byDefault;
  return chosen === undefined ? {} : { visibility: chosen };
};

const embeds = ({ attributes }: EntityDefinition, name: string): boolean =>
  Object.values(attributes).some(({ definition: { kind, target } }) => kind === 'embedded' && target === name);

/** Whether a table that was there before may have the columns of an entity, or of an object that is embedded in one. */
function isInGivenTable(owner: EntityDefinition, definitions: Definitions, inner: readonly string[] = []): boolean {
  const { name, kind, table, ancestor = '' } = owner;
  if (kind === 'embeddable')
    return [...definitions.values()].some(
      (other) =>
        embeds(other, name) && !inner.includes(other.name) && isInGivenTable(other, definitions, [...inner, name]),
    );
  const parent = definitions.get(ancestor);
  return kind === 'entity' && (table !== undefined || (parent !== undefined && isInGivenTable(parent, definitions)));
}

const TIMES = /^date|^local(Date|DateTime)$|^offsetDateTime$/;

/** Dates and times of tables that were there before. */
const unboundedOf = (
  owner: EntityDefinition,
  { datatype = 'string' }: AttributeDefinition,
  definitions: Definitions,
): Pick<DatatypeAttribute, 'unbounded'> =>
  TIMES.test(datatype) && isInGivenTable(owner, definitions) ? { unbounded: true } : {};

/**
 * The attribute of an entity that a builder has described.
 *
 * @param visibility of the children of compositions that do not choose their own
 */
export function bindAttribute(
  name: string,
  owner: EntityDefinition,
  definition: AttributeDefinition,
  definitions: Definitions,
  visibility: ChildVisibility | undefined,
): Attribute {
  const base = {
    name,
    declaredBy: owner.name,
    mandatory: definition.mandatory ?? owner.key?.attribute === name,
    readOnly: definition.readOnly ?? isParentOfChild(definition, definitions),
    persistent: owner.kind !== 'dto' && !definition.transient,
    ...(definition.generated === true ? { generated: true as const } : {}),
    ...(definition.databaseDefault === true ? { databaseDefault: true as const } : {}),
    secret: definition.secret ?? false,
    ...(definition.personal === undefined ? {} : { personal: definition.personal }),
    rules: Object.freeze([...(definition.rules ?? [])]),
    dependsOn: Object.freeze([...(definition.dependsOn ?? [])]),
    ...(definition.columns === undefined ? {} : { columns: Object.freeze([...definition.columns]) }),
    ...(definition.columnType === undefined ? {} : { columnType: definition.columnType }),
    ...(definition.uniqueMessage === undefined ? {} : { uniqueMessage: definition.uniqueMessage }),
    ...(definition.renamedFrom === undefined ? {} : { renamedFrom: definition.renamedFrom }),
    ...(definition.ui === undefined ? {} : { ui: definition.ui }),
    // `checkSearchable` refuses it for other kinds than texts.
    ...(definition.search === undefined ? {} : { search: definition.search }),
    // `checkRelations` refuses it for other kinds than references.
    ...(definition.tree === undefined ? {} : { tree: definition.tree }),
    // `checkStorage` refuses them for other kinds than values.
    ...(definition.microseconds === undefined ? {} : { microseconds: definition.microseconds }),
    ...(definition.unbounded === undefined ? {} : { formatless: definition.unbounded }),
  };
  switch (definition.kind) {
    case 'datatype':
      return Object.freeze({
        ...base,
        kind: 'datatype',
        datatype: definition.datatype ?? 'string',
        length: definition.length,
        precision: definition.precision,
        scale: definition.scale,
        unique: definition.unique ?? false,
        defaultValue: definition.defaultValue,
        compute: definition.compute,
        ...(definition.comparedAs === undefined ? {} : { comparedAs: definition.comparedAs }),
        ...(definition.baseType === undefined ? {} : { baseType: definition.baseType }),
        ...(definition.storedValues === undefined ? {} : { storedValues: definition.storedValues }),
        ...unboundedOf(owner, definition, definitions),
        ...(definition.jsonSchema === undefined ? {} : { jsonSchema: definition.jsonSchema }),
      });
    case 'enum':
      return Object.freeze({
        ...base,
        kind: 'enum',
        enumName: definition.enumName ?? '',
        unique: definition.unique ?? false,
        defaultValue: definition.defaultValue === undefined ? undefined : String(definition.defaultValue),
      });
    case 'embedded':
      return Object.freeze({
        ...base,
        kind: 'embedded',
        target: definition.target ?? '',
        ...(definition.columnPrefix === undefined ? {} : { columnPrefix: definition.columnPrefix }),
      });
    case 'elements':
      return Object.freeze({
        ...base,
        kind: 'elements',
        datatype: definition.datatype ?? 'string',
        length: definition.length,
        ...(definition.precision === undefined ? {} : { precision: definition.precision }),
        ...(definition.scale === undefined ? {} : { scale: definition.scale }),
        ...(definition.comparedAs === undefined ? {} : { comparedAs: definition.comparedAs }),
        ...unboundedOf(owner, definition, definitions),
      });
    case 'reference':
      return Object.freeze({
        ...base,
        kind: 'reference',
        target: definition.target ?? '',
        cardinality: isOneToOne(definition) ? 'ONE_TO_ONE' : (definition.cardinality ?? 'MANY_TO_ONE'),
        composition: definition.composition ?? false,
        ...(definition.composition === true && visibilityOf(definition, visibility)),
        inverse: definition.inverse,
        owning: definition.owning ?? true,
        onDelete: definition.onDelete,
        onDeleteInverse: definition.onDeleteInverse,
        ...(definition.link === undefined ? {} : { link: definition.link }),
      });
    default:
      return definition.kind satisfies never;
  }
}
