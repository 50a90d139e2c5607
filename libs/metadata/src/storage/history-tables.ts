import { familyOf } from '../datatypes/datatypes.ts';
import type { Attribute, ReferenceAttribute } from '../entities/attribute.ts';
import { dynamicAttributesOf } from '../entities/dynamic-attribute.ts';
import type { Entity } from '../entities/entity.ts';
import { entityOf, familyTreeOf, type Model } from '../model.ts';
import { DYNAMIC_VALUE_COLUMNS, DYNAMIC_VALUE_TABLE } from './dynamic-values.ts';
import {
  columnsOf,
  elementsTableOf,
  embeddedPrefix,
  keyColumnsOf,
  linkTableOf,
  rootOf,
  storingEntity,
  type Table,
  tableOf,
} from './storage-map.ts';

/** A table whose changes are recorded. */
export interface HistoryTable extends Table {
  /** Columns of its key, in their order. */
  readonly key: readonly string[];
  /** Columns with the key of the owner: of children, elements and links; empty in the tables of an entity itself. */
  readonly owner: readonly string[];
  /** Columns that entries lack: secret ones, and the columns of attributes that are not recorded. */
  readonly omitted: readonly string[];
  /** Columns of which only the change is recorded. */
  readonly secret: readonly string[];
  /** Columns whose change alone makes no entry: version and audit attributes. */
  readonly ignored: readonly string[];
  /** The recorded part of the table of dynamic values, which all entities share; of an inheritance tree. */
  readonly values?: {
    /** The name of the table in the entries. */
    readonly source: string;
    /** Ids of the attributes. */
    readonly attributes: readonly string[];
    /** Keys of owners are numbers in the entries, and texts in the table. */
    readonly isNumber: boolean;
  };
}

/** The tables of an entity with history and of everything that belongs to its instances. */
export interface HistoryNode {
  /** Root of its inheritance tree. */
  readonly entity: Entity;
  /** The tables of the inheritance tree, the root's first. */
  readonly tables: readonly HistoryTable[];
  /** Tables of elements and links of its instances. */
  readonly sides: readonly HistoryTable[];
  readonly children: readonly HistoryChild[];
}

/** Children of a composition. */
export interface HistoryChild {
  readonly node: HistoryNode;
  /** The table whose `owner` refers to the owner; undefined if the owner refers to the child. */
  readonly table: HistoryTable | undefined;
  /** The table and columns of an owner that refers to the child. */
  readonly from: { readonly table: Table; readonly columns: readonly string[] } | undefined;
}

const sameTable = (one: Table, other: Table): boolean => one.schema === other.schema && one.name === other.name;

/** The recorded tables of all entities with history, each once. */
export function historyTablesOf(model: Model): readonly HistoryTable[] {
  const nodes = [...model.entities.values()].flatMap((entity) =>
    entity.history === undefined ? [] : [historyOf(model, entity)],
  );
  const all = nodes.flatMap(tablesOf).filter(({ values }) => values === undefined);
  // A table that is both a root and a child has an owner.
  return all.filter((table, at) => {
    const same = all.filter((other) => sameTable(other, table));
    return all.indexOf(same.find(({ owner }) => owner.length > 0) ?? (same[0] as HistoryTable)) === at;
  });
}

/** The tables of a node and of all nodes below it. */
export const tablesOf = ({ tables, sides, children }: HistoryNode): readonly HistoryTable[] => [
  ...tables,
  ...sides,
  ...children.flatMap(({ node }) => tablesOf(node)),
];

/** The tables of an entity that records its history. Children of an entity that is above them are not followed. */
export const historyOf = (model: Model, entity: Entity): HistoryNode =>
  nodeOf(model, rootOf(model, entity), [], undefined);

function nodeOf(
  model: Model,
  entity: Entity,
  above: readonly Entity[],
  owner: ReferenceAttribute | undefined,
): HistoryNode {
  const path = [...above, entity];
  const family = familyTreeOf(model, entity);
  const recorded = above.length === 0 ? entity.history?.attributes : undefined;
  const isRecorded = ({ name }: Attribute): boolean => recorded?.includes(name) !== false;
  const own = family.flatMap((one) =>
    [...one.attributes.values()].filter((attribute) => attribute.persistent && attribute.declaredBy === one.name),
  );
  const tables = family
    .filter((one) => storingEntity(model, one) === one)
    .map((one) => {
      const stored = own.filter(({ declaredBy }) => storingEntity(model, entityOf(model, declaredBy)) === one);
      const isOwner = owner !== undefined && stored.some(({ name }) => name === owner.name);
      return historyTable(model, one, stored, { isRecorded, owner: isOwner ? owner : undefined });
    });
  const references = own.filter(isRecorded).filter((attribute) => attribute.kind === 'reference');
  return {
    entity,
    tables,
    sides: [
      ...own.filter(isRecorded).flatMap((attribute) => sideTable(model, attribute)),
      ...(recorded === undefined ? valueTable(model, entity, family) : []),
    ],
    children: references
      .filter(({ composition }) => composition)
      .flatMap((attribute) => childOf(model, attribute, path)),
  };
}

interface TableOptions {
  readonly isRecorded: (attribute: Attribute) => boolean;
  readonly owner: ReferenceAttribute | undefined;
}

const SYSTEM = ['version', 'createdDate', 'createdBy', 'lastModifiedDate', 'lastModifiedBy'] as const;

function historyTable(
  model: Model,
  entity: Entity,
  stored: readonly Attribute[],
  { isRecorded, owner }: TableOptions,
): HistoryTable {
  const key = namesOf(keyColumnsOf(model, entity));
  const system = SYSTEM.flatMap((name) => entity.system[name] ?? []);
  const columns = (some: readonly Attribute[]): readonly string[] =>
    some.flatMap((attribute) => namesOf(columnsOf(model, attribute))).filter((name) => !key.includes(name));
  const secret = stored.flatMap((attribute) => secretColumns(model, attribute, ''));
  const isSystem = ({ name }: Attribute): boolean => system.includes(name);
  return {
    ...locationOf(tableOf(entity)),
    key,
    owner: owner === undefined ? [] : namesOf(columnsOf(model, owner)),
    omitted: [...secret, ...columns(stored.filter((attribute) => !isRecorded(attribute) && !isSystem(attribute)))],
    secret,
    ignored: columns(stored.filter(isSystem)),
  };
}

const locationOf = ({ schema, name }: Table): Table => ({ schema, name });

const namesOf = (columns: readonly { readonly name: string }[]): readonly string[] => columns.map(({ name }) => name);

function secretColumns(model: Model, attribute: Attribute, prefix: string): readonly string[] {
  if (attribute.secret) return namesOf(columnsOf(model, attribute, prefix));
  if (attribute.kind !== 'embedded') return [];
  const inner = [...entityOf(model, attribute.target).attributes.values()];
  return inner.flatMap((each) => secretColumns(model, each, embeddedPrefix(attribute, prefix)));
}

function sideTable(model: Model, attribute: Attribute): readonly HistoryTable[] {
  const side = (table: Table, owner: readonly string[], others: readonly string[]): HistoryTable => ({
    ...locationOf(table),
    key: [...owner, ...others],
    owner,
    omitted: [],
    secret: [],
    ignored: [],
  });
  if (attribute.kind === 'elements' && columnsOf(model, attribute).length === 0) {
    const table = elementsTableOf(model, attribute);
    return [side(table, namesOf(table.ownerColumns), [table.positionColumn.name])];
  }
  if (attribute.kind !== 'reference' || attribute.cardinality !== 'MANY_TO_MANY' || !attribute.owning) return [];
  const table = linkTableOf(model, entityOf(model, attribute.declaredBy), attribute);
  return [side(table, namesOf(table.ownColumns), namesOf(table.targetColumns))];
}

/** The name that entries have instead of the table of dynamic values; of the root of an inheritance tree. */
export const valueSourceOf = ({ name }: Entity): string =>
  `${DYNAMIC_VALUE_TABLE.schema}.${DYNAMIC_VALUE_TABLE.name} ${name}`;

/** The values of the dynamic attributes of an inheritance tree. */
function valueTable(model: Model, root: Entity, family: readonly Entity[]): readonly HistoryTable[] {
  const ids = new Set(family.flatMap((one) => dynamicAttributesOf(model, one).map(({ id }) => id)));
  if (ids.size === 0) return [];
  const { attribute, owner, position } = DYNAMIC_VALUE_COLUMNS;
  const key = root.attributes.get(root.key?.attribute ?? '');
  const isNumber = key?.kind === 'datatype' && familyOf(key.datatype) === 'integer';
  return [
    {
      ...DYNAMIC_VALUE_TABLE,
      key: [attribute, owner, position],
      owner: [owner],
      ...{ omitted: [], secret: [], ignored: [] },
      values: { source: valueSourceOf(root), attributes: [...ids], isNumber },
    },
  ];
}

function childOf(model: Model, attribute: ReferenceAttribute, above: readonly Entity[]): readonly HistoryChild[] {
  const target = entityOf(model, attribute.target);
  const root = rootOf(model, target);
  if (above.includes(root) || target.isView === true) return [];
  if (attribute.owning) {
    const table = locationOf(tableOf(storingEntity(model, entityOf(model, attribute.declaredBy))));
    const from = { table, columns: namesOf(columnsOf(model, attribute)) };
    return [{ node: nodeOf(model, root, above, undefined), table: undefined, from }];
  }
  const inverse = target.attributes.get(attribute.inverse ?? '');
  if (inverse?.kind !== 'reference') return [];
  const node = nodeOf(model, root, above, inverse);
  return [{ node, table: node.tables.find(({ owner }) => owner.length > 0), from: undefined }];
}
