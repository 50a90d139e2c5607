import type { Model } from '@lintel/metadata';
import { SELF_NAME } from '../../parse/language/node.ts';
import type { BoundExpression, Variable } from '../../resolve/language/bound-expression.ts';
import { keyOf } from '../../resolve/language/check-grouping.ts';
import type { Visibility } from '../../secure/visibility.ts';
import type { Column } from '../read-plan.ts';
import type { AliasSource, RowSource } from '../row-source.ts';
import type { SqlExpression } from './sql-expression.ts';

/**
 * One `SELECT` while it is planned: the tables of its variables, and what it groups by. Expressions are
 * planned from the level they stand in; variables of the queries around it are found there.
 */
export class PlanLevel {
  readonly model: Model;
  readonly aliases: AliasSource;
  readonly visibility: Visibility;
  readonly #outer: PlanLevel | undefined;
  readonly #sources = new Map<Variable, RowSource>();
  readonly #self: RowSource | undefined;
  /** What the rows are grouped by; undefined while it is not known, and where they are not. */
  #groupBy: SqlExpression[] | undefined;
  readonly #groupKeys = new Map<string, SqlExpression>();
  #insideAggregate = false;

  constructor(
    context: { readonly model: Model; readonly aliases: AliasSource; readonly visibility: Visibility },
    outer: PlanLevel | undefined,
    self?: RowSource,
  ) {
    this.model = context.model;
    this.aliases = context.aliases;
    this.visibility = context.visibility;
    this.#outer = outer;
    this.#self = self;
  }

  /** A level for a query inside this one. */
  below(): PlanLevel {
    return new PlanLevel(this, this);
  }

  add(variable: Variable, source: RowSource): void {
    this.#sources.set(variable, source);
  }

  /** The tables of a variable. */
  sourceOf(variable: Variable): RowSource {
    if (variable.name === SELF_NAME && this.#self !== undefined) return this.#self;
    const source = this.#sources.get(variable) ?? this.#outer?.sourceOf(variable);
    if (source === undefined) throw new Error(`The variable ${variable.name} has no rows`);
    return source;
  }

  /**
   * From here on expressions outside aggregates are the same in each group; what they read is added to
   * what is grouped by, as the database asks for.
   */
  startGroups(keys: readonly BoundExpression[], planned: readonly (readonly SqlExpression[])[]): void {
    this.#groupBy = planned.flat();
    for (const [at, key] of keys.entries()) {
      const name = keyOf(key);
      const [expression] = planned[at] ?? [];
      if (name !== undefined && expression !== undefined && key.type.kind === 'scalar')
        this.#groupKeys.set(name, expression);
    }
  }

  /** The expression that the rows are grouped by, if it is one. */
  groupedAs(expression: BoundExpression): SqlExpression | undefined {
    if (this.#insideAggregate || this.#groupKeys.size === 0) return undefined;
    const name = keyOf(expression);
    return name === undefined ? undefined : this.#groupKeys.get(name);
  }

  get groupBy(): readonly SqlExpression[] {
    return this.#groupBy ?? [];
  }

  /** Notes that a column of the variable's tables is read. */
  note(variable: Variable, columns: readonly Column[]): void {
    if (!this.#sources.has(variable)) {
      this.#outer?.note(variable, columns);
      return;
    }
    if (this.#groupBy === undefined || this.#insideAggregate) return;
    for (const column of columns) {
      const isKnown = this.#groupBy.some(
        (one) => one.kind === 'column' && one.column.alias === column.alias && one.column.name === column.name,
      );
      if (!isKnown) this.#groupBy.push({ kind: 'column', column });
    }
  }

  /** Plans what stands inside an aggregate. */
  insideAggregate<T>(plan: () => T): T {
    this.#insideAggregate = true;
    try {
      return plan();
    } finally {
      this.#insideAggregate = false;
    }
  }
}
