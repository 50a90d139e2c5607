import {
  type DeletePolicy,
  type ElementsAttribute,
  type Entity,
  lineageOf,
  type Model,
  type ReferenceAttribute,
  rootOf,
} from '@lintel/metadata';
import { describeJsonPath, type JsonPath } from './json-path.ts';
import { buildLayout, type ColumnSlot, type Layout } from './layout.ts';
import { findMatchKeys, type MatchKey } from './match-keys.ts';
import { findNameParts, type NamePart } from './name-parts.ts';
import { type Composition, findCompositions, findReferences, type StoredReference } from './references.ts';
import { type RowSelect, type RowSelectShape, shapeName, writeSelect } from './row-select.ts';
import type { SlotPaths } from './slot-paths.ts';
import { describeStoredTables, type StoredTable } from './stored-tables.ts';

/** An entity as writes need it: its layout, and data derived from it, each computed on first use. */
export class StoredEntity implements Layout {
  readonly entity: Entity;
  readonly tables: readonly Entity[];
  readonly key: readonly ColumnSlot[];
  readonly slots: ReadonlyMap<string, ColumnSlot>;
  readonly paths: SlotPaths;
  readonly overShared: readonly ColumnSlot[];
  readonly elements: readonly ElementsAttribute[];
  readonly links: readonly ReferenceAttribute[];
  readonly parent: ColumnSlot | undefined;
  readonly toSharedTables: ReadonlySet<string>;
  readonly inverses: readonly ReferenceAttribute[];
  /** Attributes that the server sets. */
  readonly systemPaths: ReadonlySet<string | undefined>;
  readonly #model: Model;
  readonly #selects = new Map<string, RowSelect>();
  readonly #jsonPaths = new Map<string, JsonPath>();
  #jsonForm: JsonForm | undefined;
  #rootName: string | undefined;
  #compositions: readonly Composition[] | undefined;
  #references: readonly StoredReference[] | undefined;
  #keyReferences: readonly ColumnSlot[] | undefined;
  #storedTables: readonly StoredTable[] | undefined;
  #matchKeys: readonly MatchKey[] | undefined;
  #referrers: readonly Referrer[] | undefined;
  #nameParts: readonly NamePart[] | null | undefined;

  constructor(model: Model, entity: Entity) {
    const layout = buildLayout(model, entity);
    this.#model = model;
    this.entity = entity;
    this.tables = layout.tables;
    this.key = layout.key;
    this.slots = layout.slots;
    this.paths = layout.paths;
    this.overShared = layout.overShared;
    this.elements = layout.elements;
    this.links = layout.links;
    this.parent = layout.parent;
    this.toSharedTables = layout.toSharedTables;
    this.inverses = layout.inverses;
    this.systemPaths = new Set(Object.values(entity.system));
  }

  /** Name of the root of the entity's tree: with the key it identifies an instance. */
  get rootName(): string {
    this.#rootName ??= rootOf(this.#model, this.entity).name;
    return this.#rootName;
  }

  /** The references that are stored in columns. */
  get references(): readonly StoredReference[] {
    this.#references ??= findReferences(this.#model, this);
    return this.#references;
  }

  /** The compositions, whose children are saved with the instance. */
  get compositions(): readonly Composition[] {
    this.#compositions ??= findCompositions(this.#model, this.entity);
    return this.#compositions;
  }

  /** The references over columns of the key. */
  get keyReferences(): readonly ColumnSlot[] {
    this.#keyReferences ??= this.overShared.filter(({ shared }) =>
      shared.some(({ path }) => this.slots.get(path)?.isKey === true),
    );
    return this.#keyReferences;
  }

  /** The tables that an instance has a row in, the root's first. */
  get storedTables(): readonly StoredTable[] {
    this.#storedTables ??= describeStoredTables(this.#model, this);
    return this.#storedTables;
  }

  /** The references that have a policy for the deletion of an instance. */
  get referrers(): readonly Referrer[] {
    this.#referrers ??= findReferrers(this.#model, this.entity);
    return this.#referrers;
  }

  /** The unique constraints by whose attributes clients may name an instance. */
  get matchKeys(): readonly MatchKey[] {
    this.#matchKeys ??= findMatchKeys(this.#model, this);
    return this.#matchKeys;
  }

  /** The parts of the instance name, if the written values contain all of them; null if the database must be read. */
  get nameParts(): readonly NamePart[] | null {
    if (this.#nameParts === undefined) this.#nameParts = findNameParts(this.entity);
    return this.#nameParts;
  }

  /** The select of the entity's rows, in the order of their keys. */
  rowSelect(shape: RowSelectShape): RowSelect {
    const name = shapeName(shape);
    const select = this.#selects.get(name) ?? writeSelect(this.#model, this, shape);
    this.#selects.set(name, select);
    return select;
  }

  /** The JSON form of the values of a whole instance. */
  get jsonForm(): JsonForm {
    this.#jsonForm ??= describeJsonForm(this);
    return this.#jsonForm;
  }

  /** The position of the value of a path in the JSON form. */
  jsonPathOf(path: string): JsonPath {
    const known = this.#jsonPaths.get(path);
    if (known !== undefined) return known;
    const jsonPath = describeJsonPath(this.#model, this, path);
    // Only paths of the layout are cached: others are sent by clients and are unlimited in number.
    if (this.entity.attributes.has(jsonPath.attribute)) this.#jsonPaths.set(path, jsonPath);
    return jsonPath;
  }
}

/** The JSON form of an instance whose values are in the order of the entity's paths. */
interface JsonForm {
  /** The attributes that are stored in columns, all null: copied, so that all forms of an entity have one hidden class. */
  readonly empty: Readonly<Record<string, unknown>>;
  /** The positions of the values in the form, in the order of the paths. */
  readonly paths: readonly JsonPath[];
}

function describeJsonForm(layout: StoredEntity): JsonForm {
  const names = new Set([...layout.slots.keys()].map((path) => layout.jsonPathOf(path).attribute));
  const text = `{${[...names].map((name) => `${JSON.stringify(name)}:null`).join(',')}}`;
  return {
    // Objects of the JSON parser have a hidden class, however many members there are.
    empty: JSON.parse(text) as JsonForm['empty'],
    paths: layout.paths.list.map((path) => layout.jsonPathOf(path)),
  };
}

/** A reference that has a policy for the deletion of its target. */
interface Referrer {
  /** Whose reference it is. */
  readonly entity: Entity;
  readonly attribute: ReferenceAttribute;
  readonly policy: DeletePolicy;
}

/** The references to an entity or an ancestor of it, in the order of the model. */
function findReferrers(model: Model, target: Entity): readonly Referrer[] {
  const names = new Set(lineageOf(model, target).map(({ name }) => name));
  return [...model.entities.values()].flatMap((entity) => {
    if (entity.kind !== 'entity') return [];
    return [...entity.attributes.values()].flatMap((attribute): Referrer[] => {
      if (attribute.kind !== 'reference' || attribute.onDeleteInverse === undefined) return [];
      const isOwn = attribute.declaredBy === entity.name && attribute.owning && names.has(attribute.target);
      return isOwn ? [{ entity, attribute, policy: attribute.onDeleteInverse }] : [];
    });
  });
}
