import type { Model } from '@lintel/metadata';
import type { BoundCondition } from '../resolve/bound-condition.ts';
import type { BoundSelect } from '../resolve/language/bound-select.ts';
import type { Visibility } from '../secure/visibility.ts';
import type { PlanLevel } from './language/plan-level.ts';
import type { SelectPlan } from './language/sql-expression.ts';
import type { SqlCondition } from './read-plan.ts';
import type { RowSource } from './row-source.ts';

/** Gives the tables of one statement their aliases. */
export class AliasSource {
  #next = 0;

  next(): string {
    const alias = `t${this.#next}`;
    this.#next += 1;
    return alias;
  }
}

/**
 * Plans a condition over the rows of a source.
 *
 * @param source the rows that paths begin at; in a query, those of its variables do
 * @param visibility whose rows the joined and sub-selected tables show
 * @param within the query of the condition
 */
export type PlanCondition = (
  condition: BoundCondition,
  source: RowSource | undefined,
  visibility: Visibility,
  within?: PlanLevel,
) => SqlCondition;

/**
 * What all parts of one statement share. A condition can contain queries, a query conditions, and every table the row
 * conditions of its entity: the functions that plan them are passed down here, so that no two files import each other.
 */
export interface StatementContext {
  readonly model: Model;
  readonly aliases: AliasSource;
  /** Whether the children of a soft-deleted instance are those that were deleted with it, and those that were not. */
  readonly showsDeletedChildren: boolean;
  readonly planCondition: PlanCondition;
  /** Plans a subquery; its rows are the visible ones of every variable. */
  readonly planSelect: (select: BoundSelect, outer: PlanLevel) => SelectPlan;
  /** Plans the condition of the visible rows of an entity. */
  readonly planRowCondition: (condition: BoundCondition, source: RowSource) => SqlCondition;
}
