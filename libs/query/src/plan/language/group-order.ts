import { columnsOf, type Model } from '@lintel/metadata';
import { parameterTypeOf } from '../../literals/literal-type.ts';
import type { BoundExpression } from '../../resolve/language/bound-expression.ts';
import type { BoundSelect } from '../../resolve/language/bound-select.ts';
import { readType } from '../paging/plan-sort.ts';
import type { Column, SortPlan } from '../read-plan.ts';

/**
 * The order of groups: as requested, and then by the values that they are grouped by, in which no two are equal.
 *
 * @param ordered columns of `select.orderBy`
 * @param grouped columns of `select.groupBy`; none if the groups have no pages
 */
export function groupOrder(
  { orderBy, groupBy }: BoundSelect,
  ordered: readonly Column[],
  grouped: readonly Column[],
  model: Model,
): readonly SortPlan[] {
  const keys = [...orderBy, ...groupBy.map((expression) => ({ expression, descending: false }))];
  return [...ordered, ...grouped].map((column, at) => {
    const { expression, descending = false } = keys[at] ?? {};
    if (expression === undefined) throw new Error(`The column ${column.name} has no expression`);
    return { column, descending, sqlType: valueType(expression, model), nullable: true };
  });
}

/** A type of the database that has each value of the expression exactly. */
function valueType(expression: BoundExpression, model: Model): string {
  switch (expression.kind) {
    case 'attribute': {
      const [stored] = columnsOf(model, expression.path.leaf.attribute);
      if (stored === undefined) throw new Error(`${expression.path.text} is not stored`);
      return readType(stored);
    }
    case 'percentile':
      return valueType(expression.argument, model);
    case 'subquery': {
      const [item] = expression.select.items;
      return item === undefined ? ofType(expression) : valueType(item.expression, model);
    }
    case 'aggregate': {
      const { name, argument } = expression;
      const type = argument === undefined || name === 'count' ? 'bigint' : valueType(argument, model);
      const isKept = name === 'min' || name === 'max' || (name === 'sum' && type === 'real');
      return isKept ? type : ofType(expression);
    }
    default:
      return ofType(expression);
  }
}

/** Sums of whole numbers may be greater than the numbers. */
function ofType({ type }: BoundExpression): string {
  if (type.kind !== 'scalar') throw new Error('An instance has no order');
  const sqlType = parameterTypeOf(type.type);
  return sqlType === 'integer' || sqlType === 'bigint' ? 'numeric' : sqlType;
}
