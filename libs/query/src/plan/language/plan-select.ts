import type { BoundExpression, Variable } from '../../resolve/language/bound-expression.ts';
import type { BoundJoin, BoundRange, BoundSelect, RangeSource } from '../../resolve/language/bound-select.ts';
import { planCondition } from '../plan-condition.ts';
import { type Reached, reach, visibleRows } from '../plan-joins.ts';
import type { From, Join, SqlCondition } from '../read-plan.ts';
import { type FromBuilder, RowSource, sameColumns } from '../row-source.ts';
import { followSteps } from './plan-attribute.ts';
import { planValues } from './plan-expression.ts';
import type { PlanLevel } from './plan-level.ts';
import type { SelectPlan, SqlExpression } from './sql-expression.ts';

/** The tables and conditions of a query's `from` and `where`. */
export interface PlannedRanges {
  readonly from: From;
  readonly where: readonly SqlCondition[];
}

/** Plans a subquery; its rows are the visible ones of every variable. */
export function planSelect(select: BoundSelect, outer: PlanLevel): SelectPlan {
  const level = outer.below();
  const { from, where } = planRanges(select, level);
  const items = select.items.map(({ expression }) => expression);
  const { values, having, groupBy } = planGroups(select, items, level);
  const columns = values.flat().map((expression, at) => ({ expression, name: `c${at}` }));
  return { distinct: select.distinct, columns, from, where, groupBy, having };
}

/** Plans `from` and `where`. */
export function planRanges(select: Pick<BoundSelect, 'ranges' | 'where'>, level: PlanLevel): PlannedRanges {
  const where: SqlCondition[] = [];
  let root: FromBuilder | undefined;
  for (const range of select.ranges) {
    const reached = planRange(range, level);
    where.push(...reached.where);
    if (root === undefined) root = reached.from;
    else root.joins.push({ kind: 'inner', from: reached.from, on: [] });
    for (const join of range.joins) root.joins.push(planJoin(join, level));
  }
  if (root === undefined) throw new Error('A query has a variable');
  if (select.where !== undefined) where.push(planCondition(select.where, undefined, level.visibility, level));
  return { from: root, where };
}

interface ReachedRange {
  readonly from: FromBuilder;
  readonly where: readonly SqlCondition[];
}

function planRange({ variable, source }: BoundRange, level: PlanLevel): ReachedRange {
  return reachRange(variable, source, level);
}

/** Names that are joined later are read by the condition of a join: so it is planned before. */
function planJoin({ kind, variable, source, on }: BoundJoin, level: PlanLevel): Join {
  const { from, where } = reachRange(variable, source, level);
  const conditions = on === undefined ? [] : [planCondition(on, undefined, level.visibility, level)];
  return { kind, from, on: [...where, ...conditions] };
}

/** The table of a variable, and the conditions under which its rows belong to the query and may be seen. */
function reachRange(variable: Variable, source: RangeSource, level: PlanLevel): ReachedRange {
  const { model, aliases, visibility } = level;
  switch (source.kind) {
    case 'entity': {
      const row = new RowSource(model, variable.entity, aliases);
      level.add(variable, row);
      return { from: row.from, where: [...row.notDeleted(), ...visibleRows(row, visibility)] };
    }
    case 'same': {
      const row = new RowSource(model, variable.entity, aliases);
      const same = sameColumns(row.keyColumns(), level.sourceOf(source.as).keyColumns());
      level.add(variable, row);
      return { from: row.from, where: same };
    }
    case 'path': {
      const { leaf } = source.path;
      if (leaf.kind !== 'reference') throw new Error(`${source.path.text} is no reference`);
      const { source: owner, prefix } = followSteps(level.sourceOf(source.from), source.path, level);
      const reached: Reached = reach(owner, leaf.attribute, prefix, visibility, level);
      level.add(variable, treated(reached.source, source.treatedAs === undefined ? undefined : variable, level));
      return { from: reached.source.from, where: reached.where };
    }
    default:
      return source satisfies never;
  }
}

/** The instances that are of the variable's own entity, a descendant of what was reached. */
function treated(source: RowSource, variable: Variable | undefined, { model, aliases }: PlanLevel): RowSource {
  if (variable === undefined || variable.entity === source.entity) return source;
  const row = new RowSource(model, variable.entity, aliases);
  source.from.joins.push({ kind: 'inner', from: row.from, on: sameColumns(row.keyColumns(), source.keyColumns()) });
  return row;
}

/**
 * Plans `group by`, `having` and the values that a query gives, in that order: what the values read beside
 * aggregates is grouped by, too.
 */
export function planGroups(
  select: Pick<BoundSelect, 'groupBy' | 'having' | 'grouped'>,
  expressions: readonly BoundExpression[],
  level: PlanLevel,
): {
  readonly values: readonly (readonly SqlExpression[])[];
  readonly having: readonly SqlCondition[];
  readonly groupBy: readonly SqlExpression[];
} {
  const keys = select.groupBy.map((expression) => planValues(expression, level));
  // Without `group by` all rows are one group: then nothing can be read beside aggregates.
  if (select.grouped && keys.length > 0) level.startGroups(select.groupBy, keys);
  const values = expressions.map((expression) => planValues(expression, level));
  const having = select.having === undefined ? [] : [planCondition(select.having, undefined, level.visibility, level)];
  return { values, having, groupBy: level.groupBy };
}
