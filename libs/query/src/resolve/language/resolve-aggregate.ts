import type { Expression } from '../../ast/expression.ts';
import type { BoundExpression, ScalarType } from './bound-expression.ts';
import { type LanguageContext, languageError } from './context.ts';
import { assertGroup } from './functions.ts';
import { resolveExpression } from './resolve-expression.ts';
import { datatypeOf, hasOrder, nameOfType, scalar, widerNumber } from './value-types.ts';

/**
 * Binds an aggregate.
 *
 * @throws QuerySyntaxError if no aggregate is permitted here, and for values that it does not accept
 */
export function resolveAggregate(
  { name, distinct, argument, position }: Extract<Expression, { kind: 'aggregate' }>,
  context: LanguageContext,
): BoundExpression {
  if (context.noAggregates !== undefined)
    throw languageError(`${name.toUpperCase()} cannot stand ${context.noAggregates}`, position);
  if (argument === undefined) return { kind: 'aggregate', name, distinct, argument: undefined, type: scalar('long') };
  const inner = { ...context, noAggregates: 'inside another aggregate' };
  const bound = resolveExpression(argument, inner, name === 'sum' || name === 'avg' ? scalar('decimal') : undefined);
  if (name === 'count') return { kind: 'aggregate', name, distinct, argument: bound, type: scalar('long') };
  if (name === 'min' || name === 'max') {
    if (!hasOrder(bound.type))
      throw languageError(`${name.toUpperCase()} takes values with an order, not ${nameOfType(bound.type)}`, position);
    return { kind: 'aggregate', name, distinct, argument: bound, type: bound.type };
  }
  assertGroup(name, bound, ['number'], position);
  return { kind: 'aggregate', name, distinct, argument: bound, type: totalType(name, bound) };
}

/** Sums keep the kind of number; averages are exact unless the numbers are not. */
export function totalType(name: 'sum' | 'avg', argument: BoundExpression): ScalarType {
  const datatype = datatypeOf(argument.type) ?? 'decimal';
  const wide = widerNumber(datatype, datatype);
  return name === 'avg' && datatypeOf(wide) !== 'double' ? scalar('decimal') : wide;
}
