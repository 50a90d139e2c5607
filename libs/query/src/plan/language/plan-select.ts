import type { BoundExpression, Variable } from '../../resolve/language/bound-expression.ts';
import type { BoundJoin, BoundSelect, RangeSource } from '../../resolve/language/bound-select.ts';
import { reach } from '../joins/plan-joins.ts';
import type { Rows, SqlCondition } from '../read-plan.ts';
import { openRows, type RowSource, rejoinByKey } from '../row-source.ts';
import { followSteps } from './plan-attribute.ts';
import { planValues } from './plan-expression.ts';
import type { PlanLevel } from './plan-level.ts';
import type { SelectPlan, SqlExpression } from './sql-expression.ts';

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
export function planRanges(select: Pick<BoundSelect, 'ranges' | 'where'>, level: PlanLevel): Rows {
  const where: SqlCondition[] = [];
  let root: RowSource | undefined;
  for (const range of select.ranges) {
    const source = openRange(range.variable, range.source, level);
    where.push(...source.rows.where);
    if (root === undefined) root = source;
    else root.join('inner', { from: source.rows.from, where: [] });
    for (const join of range.joins) root.join(join.kind, planJoin(join, level));
  }
  if (root === undefined) throw new Error('A query has a variable');
  if (select.where !== undefined) where.push(level.planCondition(select.where));
  return { from: root.rows.from, where };
}

/** Names that are joined later are read by the condition of a join: so it is planned before. */
function planJoin({ variable, source, on }: BoundJoin, level: PlanLevel): Rows {
  const { from, where } = openRange(variable, source, level).rows;
  return on === undefined ? { from, where } : { from, where: [...where, level.planCondition(on)] };
}

/** The table of a variable, with the conditions under which its rows belong to the query and may be seen. */
function openRange(variable: Variable, range: RangeSource, level: PlanLevel): RowSource {
  switch (range.kind) {
    case 'entity': {
      const { source } = openRows(variable.entity, level.context, level.visibility, { deleted: 'hidden' });
      level.add(variable, source);
      return source;
    }
    case 'same': {
      const source = rejoinByKey(level.sourceOf(range.as), variable.entity);
      level.add(variable, source);
      return source;
    }
    case 'path': {
      const { leaf } = range.path;
      if (leaf.kind !== 'reference') throw new Error(`${range.path.text} is no reference`);
      const { source: owner, prefix } = followSteps(level.sourceOf(range.from), range.path, level);
      const { source } = reach(owner, leaf.attribute, prefix, level.visibility);
      level.add(variable, range.treatedAs === undefined ? source : treated(source, variable));
      return source;
    }
    default:
      return range satisfies never;
  }
}

/** The instances that are of the variable's own entity, a descendant of what was reached. */
function treated(source: RowSource, variable: Variable): RowSource {
  if (variable.entity === source.entity) return source;
  const row = rejoinByKey(source, variable.entity);
  source.join('inner', row.rows);
  return row;
}

/**
 * Plans `group by`, `having` and the selected values, in that order: columns that the values read outside of
 * aggregates are added to the grouping.
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
  // Without `group by` all rows are one group: then only aggregates can be read.
  if (select.grouped && keys.length > 0) level.startGroups(select.groupBy, keys);
  const values = expressions.map((expression) => planValues(expression, level));
  const having = select.having === undefined ? [] : [level.planCondition(select.having)];
  return { values, having, groupBy: level.groupBy };
}
