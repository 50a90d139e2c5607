import {
  type Attribute,
  type Column,
  columnsOf,
  type DatatypeAttribute,
  type ElementsAttribute,
  type Entity,
  type EnumAttribute,
  embeddedPrefix,
  entityOf,
  isToOne,
  keyColumnsOf,
  lineageOf,
  type Model,
  type ReferenceAttribute,
  rootOf,
  storageOf,
  storingEntity,
} from '@lintel/metadata';
import { keyPartsOf, keyTypeOf, type LiteralType, literalTypeOf } from '@lintel/query';
import { SlotPaths } from './slot-paths.ts';

/** A part of a reference whose column another attribute has, too. */
export interface SharedPart {
  /** Position in the key of the target, and among the columns of the reference. */
  readonly at: number;
  /** Path of the other attribute, which is no reference: it alone is written to the column. */
  readonly path: string;
}

/** One attribute path of an entity that is stored in columns: a scalar, or an owning to-one reference. */
export interface ColumnSlot {
  /** `number`, `address.city`. */
  readonly path: string;
  readonly attribute: DatatypeAttribute | EnumAttribute | ReferenceAttribute;
  readonly columns: readonly Column[];
  /** Type of each column; of the key's parts for a reference. */
  readonly types: readonly LiteralType[];
  /** Name of the entity whose table has the columns: the storing entity. */
  readonly table: string;
  /** Entity and attribute names from the root to the slot; all must be allowed. */
  readonly rights: readonly (readonly [entity: string, attribute: string])[];
  /** Part of the primary key. */
  readonly isKey: boolean;
  /** Of a reference over columns of other attributes; empty for all others. */
  readonly shared: readonly SharedPart[];
  /** Positions of the columns that it alone writes: all but the shared ones. */
  readonly written: readonly number[];
}

/** The columns that a slot writes. */
export const writtenColumns = ({ columns, written }: ColumnSlot): readonly Column[] =>
  written.flatMap((at) => columns[at] ?? []);

/** How the instances of an entity are stored. */
export interface Layout {
  readonly entity: Entity;
  /** The entity and its ancestors, each with a table of its own, the root first: the order rows are inserted in. */
  readonly tables: readonly Entity[];
  /** Slots of the key, in the order of the key columns. */
  readonly key: readonly ColumnSlot[];
  readonly slots: ReadonlyMap<string, ColumnSlot>;
  /** Of the values of an instance: the slots in their order, then the collections in tables of their own. */
  readonly paths: SlotPaths;
  /** The slots of references over columns of other attributes. */
  readonly overShared: readonly ColumnSlot[];
  /** The slot of the parent in a tree. */
  readonly parent: ColumnSlot | undefined;
  readonly elements: readonly ElementsAttribute[];
  /** M:N associations, from either end. */
  readonly links: readonly ReferenceAttribute[];
  /** Paths of references and links to entities that a foreign key does not distinguish from others of the tree. */
  readonly toSharedTables: ReadonlySet<string>;
  /** 1:N compositions and associations, and inverse 1:1 references. */
  readonly inverses: readonly ReferenceAttribute[];
}

/** Derives the layout of a stored entity. */
export function buildLayout(model: Model, entity: Entity): Layout {
  const attributes = [...entity.attributes.values()].filter((attribute) => attribute.persistent);
  const all = attributes.flatMap((attribute) => slotsOf(model, entity, attribute));
  const slots = withShared(all);
  const references = attributes.filter((attribute) => attribute.kind === 'reference');
  const links = references.filter((attribute) => attribute.cardinality === 'MANY_TO_MANY');
  const keyNames = keyColumnsOf(model, rootOf(model, entity)).map((column) => column.name);
  const keySlots = slots.filter((slot) => slot.isKey);
  const elements = attributes.filter((attribute) => attribute.kind === 'elements');
  return {
    entity,
    tables: [...new Set(lineageOf(model, entity).map((one) => storingEntity(model, one)))].reverse(),
    key: keyNames.flatMap((name) => keySlots.filter((slot) => slot.columns[0]?.name === name)),
    slots: new Map(slots.map((slot) => [slot.path, slot])),
    paths: new SlotPaths([...slots.map(({ path }) => path), ...[...elements, ...links].map(({ name }) => name)]),
    overShared: slots.filter(({ shared }) => shared.length > 0),
    parent: slots.find(({ attribute }) => attribute.kind === 'reference' && attribute.tree === true),
    elements,
    links,
    toSharedTables: new Set([
      ...slots.filter(({ attribute }) => isToSharedTable(model, attribute)).map(({ path }) => path),
      ...links.filter((attribute) => isToSharedTable(model, attribute)).map(({ name }) => name),
    ]),
    inverses: references.filter((attribute) => attribute.cardinality !== 'MANY_TO_MANY' && !attribute.owning),
  };
}

/** The foreign key of the attribute accepts rows that are not of its target. */
function isToSharedTable(model: Model, attribute: Attribute): boolean {
  if (attribute.kind !== 'reference' || !attribute.owning) return false;
  const target = entityOf(model, attribute.target);
  if (storingEntity(model, target) !== target) return true;
  return target.kind === 'entity' && storageOf(model, rootOf(model, target)).discriminator?.values !== undefined;
}

interface Above {
  readonly path: string;
  readonly prefix: string;
  readonly rights: ColumnSlot['rights'];
  readonly table: string;
  readonly isKey: boolean;
}

function slotsOf(model: Model, entity: Entity, attribute: Attribute, above?: Above): readonly ColumnSlot[] {
  if (!attribute.persistent) return [];
  const path = above === undefined ? attribute.name : `${above.path}.${attribute.name}`;
  const prefix = above?.prefix ?? '';
  const here = {
    path,
    rights: [...(above?.rights ?? []), [entity.name, attribute.name] as const],
    table: above?.table ?? storingEntity(model, entityOf(model, attribute.declaredBy)).name,
    isKey: above?.isKey ?? entity.key?.attribute === attribute.name,
  };
  if (attribute.kind === 'embedded') {
    const target = entityOf(model, attribute.target);
    const inside = { ...here, prefix: embeddedPrefix(attribute, prefix) };
    return [...target.attributes.values()].flatMap((inner) => slotsOf(model, target, inner, inside));
  }
  if (attribute.kind === 'elements') return [];
  if (attribute.kind === 'reference') {
    if (!attribute.owning || !isToOne(attribute)) return [];
    const types = keyPartsOf(model, entityOf(model, attribute.target)).map((part) => part.type);
    return [{ ...here, ...storedIn(columnsOf(model, attribute, prefix)), attribute, types }];
  }
  const type = (here.isKey ? keyTypeOf : literalTypeOf)(model, attribute);
  return type === undefined
    ? []
    : [{ ...here, ...storedIn(columnsOf(model, attribute, prefix)), attribute, types: [type] }];
}

const storedIn = (columns: readonly Column[]): Pick<ColumnSlot, 'columns' | 'shared' | 'written'> => ({
  columns,
  shared: [],
  written: [...columns.keys()],
});

/** Finds the columns of references that are also those of other attributes; the key is in each table of the entity. */
function withShared(slots: readonly ColumnSlot[]): readonly ColumnSlot[] {
  const plain = slots.filter(({ attribute }) => attribute.kind !== 'reference');
  return slots.map((slot) => {
    if (slot.attribute.kind !== 'reference' || slot.isKey) return slot;
    const shared = slot.columns.flatMap(({ name }, at): readonly SharedPart[] => {
      const other = plain.find((one) => one.columns[0]?.name === name && (one.isKey || one.table === slot.table));
      return other === undefined ? [] : [{ at, path: other.path }];
    });
    if (shared.length === 0) return slot;
    const taken = new Set(shared.map(({ at }) => at));
    return { ...slot, shared, written: slot.written.filter((at) => !taken.has(at)) };
  });
}
