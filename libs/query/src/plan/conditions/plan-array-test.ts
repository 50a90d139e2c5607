import { type ArrayAttribute, elementColumnOf } from '@lintel/metadata';
import type { LiteralType } from '../../literals/literal-type.ts';
import type { LeafTest } from '../../resolve/bound-condition.ts';
import { listParameter, valueParameter } from '../parameter.ts';
import type { Column, SqlCondition } from '../read-plan.ts';

/** Types of elements that a value is cast to with a loss, or whose equality is another one. */
const NOT_EXACT = /^(smallint|character\b(?! varying)|bit\b)/;

/**
 * The test whether an array has a value, or one of a list, in the operators that an index of the column serves.
 *
 * @returns undefined for other tests, and where equality of the elements is not that of the type of the values
 */
export function arrayTest(
  attribute: ArrayAttribute,
  column: Column,
  type: LiteralType,
  test: LeafTest,
): SqlCondition | undefined {
  const element = elementColumnOf(attribute, 'value');
  if (element.readAs !== undefined || NOT_EXACT.test(element.type)) return undefined;
  const elementType = element.type.replace(/\(\d[^)]*\)/, '');
  if (test.kind === 'comparison' && test.operator === '=')
    return { kind: 'array', column, has: 'value', parameter: valueParameter(test.value, type), elementType };
  const [list, more] = test.kind === 'in' && !test.negated ? test.values : [];
  if (list?.kind !== 'input-list' || more !== undefined) return undefined;
  return { kind: 'array', column, has: 'one-of', parameter: listParameter(list, type), elementType };
}
