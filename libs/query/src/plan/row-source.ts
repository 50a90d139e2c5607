import {
  type Attribute,
  columnsOf,
  type Entity,
  embeddedPrefix,
  entityOf,
  familyTreeOf,
  keyColumnsOf,
  lineageOf,
  type Model,
  type ReferenceAttribute,
  rootOf,
  type Column as StoredColumn,
  storageOf,
  storingEntity,
  tableOf,
} from '@lintel/metadata';
import type { BoundCondition } from '../resolve/bound-condition.ts';
import type { Visibility } from '../secure/visibility.ts';
import type { SelectedKey } from './language/selected-key.ts';
import type { PagedRow } from './paging/paged-row.ts';
import type { Column, Join, Rows, SqlCondition } from './read-plan.ts';
import type { StatementContext } from './statement-context.ts';

/** The access to the columns of a row, independent of the table that has them. */
export interface RowColumns {
  readonly context: StatementContext;
  readonly entity: Entity;
  /** Columns of an attribute; `prefix` is that of the embedded attributes above it. */
  columns(attribute: Attribute, prefix: string): readonly Column[];
  keyColumns(): readonly Column[];
  /** Names the concrete entity; only if the entity has descendants. */
  discriminator(): Column | undefined;
}

/** A visible row. Both are classes with private members: nothing else has the type. */
export type Row = RowSource | PagedRow;

export type SameColumns = Extract<SqlCondition, { kind: 'same' }>;

/** Pairs of equal columns, as conditions. */
export const sameColumns = (left: readonly Column[], right: readonly Column[]): readonly SameColumns[] =>
  left.map((column, at) => {
    const other = right[at];
    if (other === undefined) throw new Error('Keys of different lengths');
    return { kind: 'same', left: column, right: other };
  });

/** Way on which rows are reached from those of the request. */
export interface Sharing {
  /** Several roots may lead to a row. */
  readonly isShared: boolean;
  /** Number of collections passed whose owner was shared. */
  readonly repeats: number;
}

const NOT_SHARED: Sharing = Object.freeze({ isShared: false, repeats: 0 });

/** How a table is opened. */
export interface OpenOptions<L extends SqlCondition> {
  /** The condition of soft-deleted rows. */
  readonly deleted: 'hidden' | 'shown' | 'only';
  /** The row whose children these are: those that were deleted with it are shown where the statement shows them. */
  readonly owner?: Row | undefined;
  /** Joins what leads to the rows, and returns the conditions under which they belong to it; planned first. */
  readonly link?: (source: RowSource) => readonly L[];
  /** The reference of a visible row that leads to the rows: their owner is visible if it is their composition. */
  readonly from?: ReferenceAttribute;
}

/** A row source, and the conditions of `link`, which are the first of its conditions. */
export interface OpenedRows<L extends SqlCondition> {
  readonly source: RowSource;
  readonly link: readonly L[];
}

/**
 * Opens the table of an entity: its rows that the visibility shows. This and `rejoinByKey` are the only functions that
 * make a row source, so no table of an entity is in a statement without the caller's row conditions.
 */
export function openRows<L extends SqlCondition>(
  entity: Entity,
  context: StatementContext,
  visibility: Visibility,
  { deleted, owner, link, from }: OpenOptions<L>,
): OpenedRows<L> {
  const source = new RowSource(context, entity);
  const linked = link?.(source) ?? [];
  source.restrict(linked);
  if (deleted !== 'shown') source.restrict(deletionCondition(source, deleted, owner));
  const rows = withoutOwner(visibility.rowsOf(entity), from);
  if (rows !== undefined) source.restrict([context.planRowCondition(rows, source)]);
  return { source, link: linked };
}

/** The condition that the row is, or is not, soft-deleted. */
function deletionCondition(source: RowSource, deleted: 'hidden' | 'only', owner?: Row): readonly SqlCondition[] {
  const left = deletedDateOf(source);
  if (left === undefined) return deleted === 'only' ? [{ kind: 'constant', value: false }] : [];
  const isNull = { kind: 'null', columns: [left], negated: deleted === 'only' } as const;
  const right = source.context.showsDeletedChildren && owner !== undefined ? deletedDateOf(owner) : undefined;
  return right === undefined ? [isNull] : [{ kind: 'or', conditions: [isNull, { kind: 'same', left, right }] }];
}

function deletedDateOf(row: Row): Column | undefined {
  const attribute = row.entity.attributes.get(row.entity.system.deletedDate ?? '');
  return attribute === undefined ? undefined : row.columns(attribute, '')[0];
}

/** The row conditions of the children of a visible owner: that it is visible needs no further test. */
function withoutOwner(
  rows: BoundCondition | undefined,
  from: ReferenceAttribute | undefined,
): BoundCondition | undefined {
  if (rows?.kind === 'and') {
    const conditions = rows.conditions.filter((part) => withoutOwner(part, from) !== undefined);
    return conditions.length === 0 ? undefined : { kind: 'and', conditions };
  }
  return rows?.kind === 'owned' && rows.by.some(({ attribute }) => attribute === from) ? undefined : rows;
}

/**
 * Joins the instance of a visible row once more, by its key: its own table, or that of a descendant. It adds no row
 * conditions, since those of the visible row hold for the same instance; those of its descendants are among them.
 *
 * @throws Error for any other entity: an equal key would be that of another instance
 */
export function rejoinByKey(visible: Row | SelectedKey, entity: Entity): RowSource {
  const { context } = visible;
  if (!familyNames(context.model, visible.entity).includes(entity.name))
    throw new Error(`A row of ${visible.entity.name} is none of ${entity.name}`);
  const source = new RowSource(context, entity);
  source.restrict(sameColumns(source.keyColumns(), visible.keyColumns()));
  return source;
}

/**
 * A table of an entity in the statement, with the conditions of its rows. Tables of ancestors are joined when one of
 * their columns is used. Only the type is exported.
 */
class RowSource implements RowColumns {
  readonly context: StatementContext;
  readonly entity: Entity;
  readonly model: Model;
  readonly alias: string;
  /** The table and its conditions; later joins and conditions appear in it. */
  readonly rows: Rows;
  /** Sources joined by to-one references, by what joined them. */
  readonly joined = new Map<string, RowSource>();
  /** Way to the members that a filter quantifies over. */
  sharing: Sharing = NOT_SHARED;
  readonly #joins: Join[] = [];
  readonly #where: SqlCondition[] = [];
  readonly #ancestors = new Map<string, string>();

  constructor(context: StatementContext, entity: Entity) {
    this.context = context;
    this.entity = entity;
    this.model = context.model;
    this.alias = context.aliases.next();
    this.rows = {
      from: { table: tableOf(entity), alias: this.alias, joins: this.#joins },
      where: this.#where,
    };
    this.restrict(this.#ofKnownEntity());
  }

  /** Joins rows to the table, under their conditions. */
  join(kind: Join['kind'], { from, where }: Rows): void {
    this.#joins.push({ kind, from, on: where });
  }

  /** Adds conditions. */
  restrict(conditions: readonly SqlCondition[]): void {
    this.#where.push(...conditions);
  }

  keyColumns(): readonly Column[] {
    return keyColumnsOf(this.model, this.entity).map(({ name }) => ({ alias: this.alias, name }));
  }

  columns(attribute: Attribute, prefix: string): readonly Column[] {
    const declaredBy = prefix === '' ? attribute.declaredBy : this.#declarer(prefix);
    return this.#at(declaredBy, columnsOf(this.model, attribute, prefix));
  }

  discriminator(): Column | undefined {
    return this.entity.descendants.length === 0 ? undefined : this.#rootDiscriminator();
  }

  #rootDiscriminator(): Column | undefined {
    const root = rootOf(this.model, this.entity);
    const { discriminator } = storageOf(this.model, root);
    if (discriminator === undefined) return undefined;
    const { name, values } = discriminator;
    const column = { alias: this.#aliasOf(root.name), name };
    return values === undefined ? column : { ...column, entities: values };
  }

  /** Rows whose discriminator stands for no entity are no instances, and a single table has rows of several entities. */
  #ofKnownEntity(): readonly SqlCondition[] {
    const { entity, model } = this;
    const column = rootOf(model, entity).inheritance === undefined ? undefined : this.#rootDiscriminator();
    if (column === undefined || (column.entities === undefined && storingEntity(model, entity) === entity)) return [];
    return [{ kind: 'named', column, names: familyNames(model, entity) }];
  }

  /** The embedded attribute of the entity itself whose columns begin with the prefix. */
  #declarer(prefix: string): string {
    const [owner] = [...this.entity.attributes.values()]
      .filter((attribute) => attribute.kind === 'embedded' && prefix.startsWith(embeddedPrefix(attribute)))
      .sort((one, other) => other.name.length - one.name.length);
    return owner?.declaredBy ?? this.entity.name;
  }

  #at(declaredBy: string, columns: readonly StoredColumn[]): readonly Column[] {
    const alias = this.#aliasOf(declaredBy);
    return columns.map(({ name, readAs }) => (readAs === undefined ? { alias, name } : { alias, name, readAs }));
  }

  #aliasOf(declaredBy: string): string {
    if (declaredBy === this.entity.name) return this.alias;
    const present = this.#ancestors.get(declaredBy);
    if (present !== undefined) return present;
    const ancestor = entityOf(this.model, declaredBy);
    if (!lineageOf(this.model, this.entity).includes(ancestor)) return this.alias;
    if (storingEntity(this.model, this.entity) === storingEntity(this.model, ancestor)) return this.alias;
    const alias = this.context.aliases.next();
    const key = keyColumnsOf(this.model, ancestor).map(({ name }) => ({ alias, name }));
    this.join('inner', {
      from: { table: tableOf(ancestor), alias, joins: [] },
      where: sameColumns(key, this.keyColumns()),
    });
    this.#ancestors.set(declaredBy, alias);
    return alias;
  }
}

export type { RowSource };

/** Names of the entity and all its descendants: the values its discriminator has. */
export const familyNames = (model: Model, entity: Entity): readonly string[] =>
  familyTreeOf(model, entity).map((member) => member.name);
