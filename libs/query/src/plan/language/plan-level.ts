import { SELF_NAME } from '../../parse/language/node.ts';
import type { BoundCondition } from '../../resolve/bound-condition.ts';
import type { BoundExpression, Variable } from '../../resolve/language/bound-expression.ts';
import type { BoundSelect } from '../../resolve/language/bound-select.ts';
import { keyOf } from '../../resolve/language/check-grouping.ts';
import type { Visibility } from '../../secure/visibility.ts';
import type { Column, SqlCondition } from '../read-plan.ts';
import type { RowSource } from '../row-source.ts';
import type { StatementContext } from '../statement-context.ts';
import type { SelectPlan, SqlExpression } from './sql-expression.ts';

/**
 * One `SELECT` while it is planned: the tables of its variables, and what it groups by. Expressions are
 * planned with the level of their query; it resolves variables of outer queries too.
 */
export class PlanLevel {
  readonly context: StatementContext;
  readonly visibility: Visibility;
  readonly #outer: PlanLevel | undefined;
  readonly #sources = new Map<Variable, RowSource>();
  readonly #self: RowSource | undefined;
  /** The expressions of GROUP BY; undefined before `startGroups`, and without grouping. */
  #groupBy: SqlExpression[] | undefined;
  readonly #groupKeys = new Map<string, SqlExpression>();
  #insideAggregate = false;

  constructor(context: StatementContext, visibility: Visibility, outer?: PlanLevel, self?: RowSource) {
    this.context = context;
    this.visibility = visibility;
    this.#outer = outer;
    this.#self = self;
  }

  /** A level for a query inside this one. */
  below(): PlanLevel {
    return new PlanLevel(this.context, this.visibility, this);
  }

  /** Plans a condition of this query. */
  planCondition(condition: BoundCondition): SqlCondition {
    return this.context.planCondition(condition, undefined, this.visibility, this);
  }

  /** Plans a query inside this one. */
  planSelect(select: BoundSelect): SelectPlan {
    return this.context.planSelect(select, this);
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
   * After this call, expressions outside aggregates are the same in each group; the columns that they read are added to
   * GROUP BY, as the database requires.
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

  /** Plans the argument of an aggregate. */
  insideAggregate<T>(plan: () => T): T {
    this.#insideAggregate = true;
    try {
      return plan();
    } finally {
      this.#insideAggregate = false;
    }
  }
}
