import {
  type Attribute,
  columnsOf,
  deletedColumnOf,
  type Entity,
  embeddedPrefix,
  entityOf,
  familyTreeOf,
  keyColumnsOf,
  lineageOf,
  type Model,
  type Column as StoredColumn,
  storageOf,
  type Table,
  tableOf,
} from '@lintel/metadata';
import type { Column, Join, SqlCondition } from './read-plan.ts';

/** Gives the tables of one statement their aliases. */
export class AliasSource {
  #next = 0;

  next(): string {
    const alias = `t${this.#next}`;
    this.#next += 1;
    return alias;
  }
}

/** A table group under construction. */
export interface FromBuilder {
  readonly table: Table;
  readonly alias: string;
  readonly joins: Join[];
}

/** The columns of one instance, wherever the statement has them. */
export interface Row {
  readonly entity: Entity;
  /** Columns of an attribute; `prefix` is that of the embedded attributes above it. */
  columns(attribute: Attribute, prefix: string): readonly Column[];
  keyColumns(): readonly Column[];
  /** Names the concrete entity; only where the entity has descendants. */
  discriminator(): Column | undefined;
}

/** Pairs of equal columns, as conditions. */
export const sameColumns = (left: readonly Column[], right: readonly Column[]): readonly SqlCondition[] =>
  left.map((column, at) => {
    const other = right[at];
    if (other === undefined) throw new Error('Keys of different lengths');
    return { kind: 'same', left: column, right: other };
  });

/** A table of an entity in the statement. Tables of ancestors are joined when a column of theirs is asked for. */
export class RowSource implements Row {
  readonly entity: Entity;
  readonly from: FromBuilder;
  readonly model: Model;
  readonly aliases: AliasSource;
  /** Sources joined by to-one references, by what joined them. */
  readonly joined = new Map<string, RowSource>();
  readonly #ancestors = new Map<string, string>();

  constructor(model: Model, entity: Entity, aliases: AliasSource) {
    this.model = model;
    this.entity = entity;
    this.aliases = aliases;
    this.from = { table: tableOf(entity), alias: aliases.next(), joins: [] };
  }

  keyColumns(): readonly Column[] {
    return keyColumnsOf(this.model, this.entity).map(({ name }) => ({ alias: this.from.alias, name }));
  }

  columns(attribute: Attribute, prefix: string): readonly Column[] {
    const declaredBy = prefix === '' ? attribute.declaredBy : this.#declarer(prefix);
    return this.#at(declaredBy, columnsOf(this.model, attribute, prefix));
  }

  discriminator(): Column | undefined {
    if (this.entity.descendants.length === 0) return undefined;
    const root = lineageOf(this.model, this.entity).at(-1);
    const column = root === undefined ? undefined : storageOf(this.model, root).discriminator;
    return root === undefined || column === undefined
      ? undefined
      : { alias: this.#aliasOf(root.name), name: column.name };
  }

  /** That the row is not marked as deleted; nothing for entities that remove rows. */
  notDeleted(): readonly SqlCondition[] {
    const column = deletedColumnOf(this.model, this.entity);
    const declaredBy = this.entity.attributes.get(this.entity.system.deletedDate ?? '')?.declaredBy;
    if (column === undefined || declaredBy === undefined) return [];
    return [{ kind: 'null', columns: this.#at(declaredBy, [column]), negated: false }];
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
    if (declaredBy === this.entity.name) return this.from.alias;
    const present = this.#ancestors.get(declaredBy);
    if (present !== undefined) return present;
    const ancestor = entityOf(this.model, declaredBy);
    if (!lineageOf(this.model, this.entity).includes(ancestor)) return this.from.alias;
    const alias = this.aliases.next();
    const key = keyColumnsOf(this.model, ancestor).map(({ name }) => ({ alias, name }));
    this.from.joins.push({
      kind: 'inner',
      from: { table: tableOf(ancestor), alias, joins: [] },
      on: sameColumns(key, this.keyColumns()),
    });
    this.#ancestors.set(declaredBy, alias);
    return alias;
  }
}

/** Names of the entity and all its descendants: the values its discriminator has. */
export const familyNames = (model: Model, entity: Entity): readonly string[] =>
  familyTreeOf(model, entity).map((member) => member.name);
