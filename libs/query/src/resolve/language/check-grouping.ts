import { isToMany } from '@lintel/metadata';
import type { SelectQuery } from '../../ast/select-query.ts';
import type { BoundCondition } from '../bound-condition.ts';
import type { BoundExpression, Variable } from './bound-expression.ts';
import type { BoundSelect } from './bound-select.ts';
import { languageError } from './context.ts';
import { variablesOf, walkSelect } from './walk-bound.ts';

/**
 * Checks that a query with groups uses, outside of aggregates, only values that are constant within a group.
 *
 * @throws QuerySyntaxError with the position of the query's part
 */
export function assertGrouped(bound: BoundSelect, select: SelectQuery): void {
  const grouping = groupingOf(bound);
  const refuse = (
    what: string,
    at: number,
    list: readonly { readonly expression: { readonly position: SelectQuery['position'] } }[],
  ): Error =>
    languageError(
      `${what} must be in GROUP BY, or inside an aggregate`,
      list[at]?.expression.position ?? select.position,
    );
  for (const [at, { name, expression }] of bound.items.entries())
    if (!isGrouped(expression, grouping)) throw refuse(`The selected value ${name}`, at, select.items);
  for (const [at, { expression }] of bound.orderBy.entries())
    if (!isGrouped(expression, grouping)) throw refuse('What ORDER BY names', at, select.orderBy);
  if (bound.having !== undefined && !isGroupedTest(bound.having, grouping))
    throw languageError('What HAVING names must be in GROUP BY, or inside an aggregate', select.position);
}

/**
 * Checks that the order of distinct rows depends only on selected values: else equal rows would be listed once for
 * each sort value.
 *
 * @throws QuerySyntaxError with the position of the order
 */
export function assertDistinct({ items, ranges, orderBy }: BoundSelect, select: SelectQuery): void {
  const selected = items.map(({ expression }) => expression);
  const given = groupingOf({ ranges, groupBy: selected });
  const grouping: Grouping = { ...given, variables: withJoinedToOne(given.variables, ranges), groupsDecide: false };
  for (const [at, { expression }] of orderBy.entries())
    if (!selected.includes(expression) && !isGrouped(expression, grouping))
      throw languageError(
        'With DISTINCT, what ORDER BY names must be selected, or be one value of what is selected',
        select.orderBy[at]?.expression.position ?? select.position,
      );
}

/** The variables, and those whose instance is the one that a reference of theirs leads to. */
function withJoinedToOne(variables: ReadonlySet<Variable>, ranges: BoundSelect['ranges']): ReadonlySet<Variable> {
  const known = new Set(variables);
  for (const { variable, source, on } of ranges.flatMap((range) => [{ ...range, on: undefined }, ...range.joins])) {
    if (on !== undefined) continue;
    if (source.kind === 'same' && known.has(source.as)) known.add(variable);
    if (source.kind === 'path' && known.has(source.from) && !isToMany(source.path.leaf.attribute)) known.add(variable);
  }
  return known;
}

interface Grouping {
  readonly own: readonly Variable[];
  readonly keys: ReadonlySet<string>;
  /** Variables whose instance is the same in a group. */
  readonly variables: ReadonlySet<Variable>;
  /** Paths of references whose target is the same in a group. */
  readonly references: ReadonlySet<string>;
  /** An aggregate is of the group: it has one value in it. */
  readonly groupsDecide: boolean;
}

function groupingOf({ ranges, groupBy }: Pick<BoundSelect, 'ranges' | 'groupBy'>): Grouping {
  return {
    own: variablesOf({ ranges }),
    keys: new Set(groupBy.flatMap((one) => keyOf(one) ?? [])),
    variables: new Set(groupBy.flatMap((one) => (one.kind === 'variable' ? [one.variable] : []))),
    references: new Set(
      groupBy.flatMap((one) =>
        one.kind === 'attribute' && one.treated === undefined && one.type.kind === 'entity'
          ? [`${one.variable.name}.${one.path.text}.`]
          : [],
      ),
    ),
    groupsDecide: true,
  };
}

/** A text that is equal for equal expressions; undefined for those that are not compared. */
export function keyOf(expression: BoundExpression): string | undefined {
  const list = (kind: string, parts: readonly (BoundExpression | undefined)[]): string | undefined => {
    const keys = parts.map((part) => (part === undefined ? '' : keyOf(part)));
    return keys.includes(undefined) ? undefined : `${kind}(${keys.join(',')})`;
  };
  switch (expression.kind) {
    case 'attribute': {
      const { variable, treated, path } = expression;
      const cast = treated === undefined ? '' : `<${treated.path?.text ?? ''} as ${treated.entity.name}>`;
      return `${variable.name}${cast}.${path.text}`;
    }
    case 'variable':
      return expression.variable.name;
    case 'constant':
      return JSON.stringify(expression.value);
    case 'argument':
      return `:${expression.index}`;
    case 'bucket':
      return list(`${expression.unit} ${expression.zone ?? ''}`, [expression.base]);
    case 'session':
      return `:${expression.name}`;
    case 'arithmetic':
      return list(expression.operator, [expression.left, expression.right]);
    case 'negative':
      return list('negative', [expression.operand]);
    case 'call':
      return list(expression.name, expression.args);
    case 'aggregate':
      return list(`${expression.name}${expression.distinct ? ' distinct' : ''}`, [expression.argument]);
    case 'trim':
      return list(`trim ${expression.side}`, [expression.characters, expression.text]);
    default:
      return undefined;
  }
}

function isGrouped(expression: BoundExpression, grouping: Grouping): boolean {
  const key = keyOf(expression);
  if (key !== undefined && grouping.keys.has(key)) return true;
  const all = (...parts: readonly (BoundExpression | undefined)[]): boolean =>
    parts.every((part) => part === undefined || isGrouped(part, grouping));
  const isForeign = (variable: Variable): boolean =>
    grouping.variables.has(variable) || !grouping.own.includes(variable);
  switch (expression.kind) {
    case 'aggregate':
    case 'percentile':
      return grouping.groupsDecide;
    case 'constant':
    case 'null':
    case 'argument':
    case 'input':
    case 'session':
    case 'now':
    case 'entity-name':
      return true;
    case 'attribute': {
      const text = `${expression.variable.name}.${expression.treated?.path?.text ?? expression.path.text}`;
      return isForeign(expression.variable) || [...grouping.references].some((path) => text.startsWith(path));
    }
    case 'variable':
    case 'size':
    case 'type-of':
      return isForeign(expression.variable);
    case 'arithmetic':
      return all(expression.left, expression.right);
    case 'negative':
      return all(expression.operand);
    case 'call':
      return all(...expression.args);
    case 'trim':
      return all(expression.characters, expression.text);
    case 'moment':
    case 'bucket':
      return all(expression.base);
    case 'case':
      return (
        expression.branches.every(({ when, value }) => isGroupedTest(when, grouping) && all(value)) &&
        all(expression.otherwise)
      );
    case 'subquery':
      return isGroupedSelect(expression.select, grouping);
    default:
      return expression satisfies never;
  }
}

function isGroupedTest(condition: BoundCondition, grouping: Grouping): boolean {
  const all = (...parts: readonly (BoundExpression | undefined)[]): boolean =>
    parts.every((part) => part === undefined || isGrouped(part, grouping));
  switch (condition.kind) {
    case 'constant':
      return true;
    case 'and':
    case 'or':
      return condition.conditions.every((part) => isGroupedTest(part, grouping));
    case 'not':
    case 'descendant':
      return isGroupedTest(condition.condition, grouping);
    case 'test':
    case 'members':
    case 'search':
    case 'owned':
      return true;
    case 'relation':
      return all(condition.left, condition.right);
    case 'branch':
      return all(condition.value, condition.of);
    case 'like':
      return all(condition.text, condition.pattern, condition.escape);
    case 'among':
      return all(condition.value, ...condition.items);
    case 'among-argument':
    case 'absent':
      return all(condition.value);
    case 'among-select':
      return all(condition.value) && isGroupedSelect(condition.select, grouping);
    case 'empty':
      return grouping.variables.has(condition.variable) || !grouping.own.includes(condition.variable);
    case 'member':
      return (
        all(condition.value) &&
        (grouping.variables.has(condition.variable) || !grouping.own.includes(condition.variable))
      );
    case 'exists':
      return isGroupedSelect(condition.select, grouping);
    default:
      return condition satisfies never;
  }
}

/** A subquery may use of the groups' variables only those that are the same in a group. */
function isGroupedSelect(select: BoundSelect, grouping: Grouping): boolean {
  let grouped = true;
  const check = (variable: Variable | undefined): void => {
    if (variable !== undefined && grouping.own.includes(variable) && !grouping.variables.has(variable)) grouped = false;
  };
  walkSelect(select, { variable: check, path: (_, variable) => check(variable) });
  return grouped;
}
