import { isToMany } from '@lintel/metadata';
import type { ComparisonOperator } from '../../ast/condition.ts';
import { parameterTypeOf } from '../../literals/literal-type.ts';
import type { BoundLanguageCondition, BoundPath } from '../../resolve/bound-condition.ts';
import type { BoundExpression, Variable } from '../../resolve/language/bound-expression.ts';
import { planPath } from '../conditions/plan-paths.ts';
import { planTree } from '../conditions/plan-tree.ts';
import { argumentSource } from '../parameter.ts';
import type { Rows, SqlCondition } from '../read-plan.ts';
import { reachMembers, reachValues } from './plan-attribute.ts';
import { planExpression, planValues } from './plan-expression.ts';
import type { PlanLevel } from './plan-level.ts';
import type { SqlExpression } from './sql-expression.ts';

/** Plans a test of the entity query language. */
export function planTest(test: BoundLanguageCondition, level: PlanLevel): SqlCondition {
  switch (test.kind) {
    case 'relation':
      return planRelation(test, level);
    case 'like':
      return {
        kind: 'pattern',
        text: planExpression(test.text, level),
        pattern: planExpression(test.pattern, level),
        escape: test.escape === undefined ? undefined : planExpression(test.escape, level),
        negated: test.negated,
      };
    case 'among':
      return planAmong(test, level);
    case 'among-argument':
      return {
        kind: 'one-of-array',
        value: planExpression(test.value, level),
        parameter: {
          source: argumentSource(test.index, test.isOpen, test.type),
          sqlType: `${parameterTypeOf(test.type)}[]`,
        },
        negated: test.negated,
      };
    case 'among-select':
      return {
        kind: 'one-of-select',
        values: planValues(test.value, level),
        select: level.planSelect(test.select),
        negated: test.negated,
      };
    case 'branch': {
      const [value] = planValues(test.value, level);
      const right = planExpression(test.of, level);
      if (value === undefined) throw new Error(`${test.parent.root.name} has no key`);
      return planTree(test, value, level, (source) => {
        const [column] = source.keyColumns();
        if (column === undefined) throw new Error(`${source.entity.name} has no key`);
        return { kind: 'relation', left: { kind: 'column', column }, operator: '=', right };
      });
    }
    case 'absent':
      return planAbsent(test, level);
    case 'empty': {
      const { from, where } = members(test.variable, test.path, level);
      const some: SqlCondition = { kind: 'exists', from, where };
      return test.negated ? some : not(some);
    }
    case 'member': {
      const { from, where, values } = members(test.variable, test.path, level);
      const same = equal(values, planValues(test.value, level));
      const some: SqlCondition = { kind: 'exists', from, where: [...where, same] };
      return test.negated ? not(some) : some;
    }
    case 'exists':
      return { kind: 'exists-select', select: level.planSelect(test.select) };
    default:
      return test satisfies never;
  }
}

const not = (condition: SqlCondition): SqlCondition => ({ kind: 'not', condition });

type Of<K extends BoundLanguageCondition['kind']> = Extract<BoundLanguageCondition, { kind: K }>;

function planRelation({ left, operator, right, quantifier }: Of<'relation'>, level: PlanLevel): SqlCondition {
  if (quantifier !== undefined && right.kind === 'subquery')
    return {
      kind: 'quantified',
      left: planExpression(left, level),
      operator,
      quantifier,
      select: level.planSelect(right.select),
    };
  return compare(left, planValues(left, level), operator, right, planValues(right, level));
}

function compare(
  left: BoundExpression,
  ofLeft: readonly SqlExpression[],
  operator: ComparisonOperator,
  right: BoundExpression,
  ofRight: readonly SqlExpression[],
): SqlCondition {
  const [one] = ofLeft;
  const [other] = ofRight;
  if (ofLeft.length === 1 && ofRight.length === 1 && one !== undefined && other !== undefined)
    return { kind: 'relation', left: one, operator, right: other };
  if (left.kind === 'subquery' || right.kind === 'subquery')
    throw new Error('A subquery of instances with composite keys has not one value');
  const same = equal(ofLeft, ofRight);
  return operator === '=' ? same : not(same);
}

function equal(left: readonly SqlExpression[], right: readonly SqlExpression[]): SqlCondition {
  const conditions = left.map((one, at): SqlCondition => {
    const other = right[at];
    if (other === undefined) throw new Error('Keys of different lengths');
    return { kind: 'relation', left: one, operator: '=', right: other };
  });
  const [only] = conditions;
  return conditions.length === 1 && only !== undefined ? only : { kind: 'and', conditions };
}

function planAmong({ value, items, negated }: Of<'among'>, level: PlanLevel): SqlCondition {
  const values = planValues(value, level);
  const [only] = values;
  if (values.length === 1 && only !== undefined)
    return { kind: 'one-of', value: only, items: items.map((item) => planExpression(item, level)), negated };
  const conditions = items.map((item) => equal(values, planValues(item, level)));
  const some: SqlCondition = { kind: 'or', conditions };
  return negated ? not(some) : some;
}

function planAbsent({ value, negated }: Of<'absent'>, level: PlanLevel): SqlCondition {
  if (value.kind === 'attribute' && value.path.leaf.kind === 'embedded') {
    const absent = { path: value.path, test: { kind: 'null', negated } } as const;
    const planned = planPath(absent, level.sourceOf(value.variable), level.visibility);
    if (planned.kind === 'null') level.note(value.variable, planned.columns);
    return planned;
  }
  return { kind: 'absent', values: planValues(value, level), negated };
}

/** The rows of a collection, and what a member is compared by. */
function members(
  variable: Variable,
  path: BoundPath,
  level: PlanLevel,
): Rows & { readonly values: readonly SqlExpression[] } {
  const { leaf } = path;
  if (leaf.kind === 'elements') {
    const { from, where, value } = reachValues(variable, path, leaf.attribute, level);
    return { from, where, values: [{ kind: 'column', column: value }] };
  }
  if (leaf.kind !== 'reference' || !isToMany(leaf.attribute)) throw new Error(`${path.text} is no collection`);
  const { from, where, key } = reachMembers(variable, path, leaf.attribute, level);
  return { from, where, values: key.map((column) => ({ kind: 'column', column })) };
}
