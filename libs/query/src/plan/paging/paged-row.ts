import type { Attribute, Entity } from '@lintel/metadata';
import type { Column, PageColumn } from '../read-plan.ts';
import type { RowColumns, RowSource } from '../row-source.ts';
import type { StatementContext } from '../statement-context.ts';

/** Alias of the page in the statement; table aliases are `t` and a number. */
const PAGE_ALIAS = 'page';

/** A row of the page: it records every column that is used. */
export class PagedRow implements RowColumns {
  readonly alias = PAGE_ALIAS;
  readonly context: StatementContext;
  readonly entity: Entity;
  readonly #source: RowSource;
  /** Page columns by `<alias>.<name>` of their origin. */
  readonly #columns = new Map<string, PageColumn>();

  constructor(source: RowSource) {
    this.#source = source;
    this.context = source.context;
    this.entity = source.entity;
  }

  columns(attribute: Attribute, prefix: string): readonly Column[] {
    return this.#source.columns(attribute, prefix).map((column) => this.paged(column));
  }

  keyColumns(): readonly Column[] {
    return this.#source.keyColumns().map((column) => this.paged(column));
  }

  discriminator(): Column | undefined {
    const column = this.#source.discriminator();
    return column === undefined ? undefined : this.paged(column);
  }

  /** The columns that were used, in that order. */
  pageColumns(): readonly PageColumn[] {
    return [...this.#columns.values()];
  }

  /** A column of the source, or of what is joined to it, as the page hands it on. */
  paged(column: Column): Column {
    const origin = `${column.alias}.${column.name}`;
    const present = this.#columns.get(origin);
    if (present !== undefined) return { alias: PAGE_ALIAS, name: present.name };
    const isTaken = [...this.#columns.values()].some(({ name }) => name === column.name);
    const name = isTaken ? `${column.name}_${column.alias}` : column.name;
    this.#columns.set(origin, { column, name });
    return { alias: PAGE_ALIAS, name };
  }
}
