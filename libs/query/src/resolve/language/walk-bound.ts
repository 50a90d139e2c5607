import type { Entity } from '@lintel/metadata';
import type { InputList, Value } from '../../ast/condition.ts';
import type { BoundCondition, BoundPath, LeafTest } from '../bound-condition.ts';
import { testedPaths } from '../resolve-embedded.ts';
import type { BoundExpression, Variable } from './bound-expression.ts';
import type { BoundSelect, RangeSource } from './bound-select.ts';

/** Callbacks for the elements that a condition or expression refers to. */
export interface BoundVisitor {
  /** An attribute or collection is read; the entity is the one the path begins at. */
  readonly path?: (path: BoundPath, variable: Variable | undefined) => void;
  /** A variable itself is used: its key, or the entity that it is of. */
  readonly variable?: (variable: Variable) => void;
  /** Instances of the variable are among the rows of a query. */
  readonly range?: (variable: Variable) => void;
  readonly aggregate?: () => void;
  /** A query is used as a single value: it must not return several rows. */
  readonly scalar?: (select: BoundSelect) => void;
  /** A parameter is used whose value the server fills in. */
  readonly session?: (name: string) => void;
  /** A value is compared with one of the declared parameters, or with the elements of one. */
  readonly compared?: (value: BoundExpression, argument: number) => void;
}

/** Visits everything that a condition refers to, subqueries included. */
export function walkCondition(condition: BoundCondition, visitor: BoundVisitor): void {
  const expressions = (...list: readonly (BoundExpression | undefined)[]): void => {
    for (const one of list) if (one !== undefined) walkExpression(one, visitor);
  };
  const compare = (one: BoundExpression, other: BoundExpression): void => {
    if (other.kind === 'argument') visitor.compared?.(one, other.index);
    else if (one.kind === 'argument') visitor.compared?.(other, one.index);
  };
  switch (condition.kind) {
    case 'constant':
    case 'search':
      return;
    case 'and':
    case 'or':
      for (const part of condition.conditions) walkCondition(part, visitor);
      return;
    case 'not':
    case 'descendant':
      walkCondition(condition.condition, visitor);
      return;
    case 'owned':
      for (const { rows } of condition.by) if (rows !== undefined) walkCondition(rows, visitor);
      return;
    case 'test':
      for (const path of testedPaths(condition)) visitor.path?.(path, undefined);
      for (const value of testedValues(condition.test)) if (value.kind === 'parameter') visitor.session?.(value.name);
      return;
    case 'members':
      visitor.path?.(condition.path, undefined);
      if (condition.condition !== undefined) walkCondition(condition.condition, visitor);
      return;
    case 'relation':
      compare(condition.left, condition.right);
      expressions(condition.left);
      // Of several values all or any must keep the relation: they may be many.
      if (condition.quantifier !== undefined && condition.right.kind === 'subquery')
        walkSelect(condition.right.select, visitor);
      else expressions(condition.right);
      return;
    case 'like':
      expressions(condition.text, condition.pattern, condition.escape);
      return;
    case 'among':
      for (const item of condition.items) compare(condition.value, item);
      expressions(condition.value, ...condition.items);
      return;
    case 'among-argument':
      visitor.compared?.(condition.value, condition.index);
      expressions(condition.value);
      return;
    case 'branch':
      compare(condition.value, condition.of);
      expressions(condition.value, condition.of);
      visitor.path?.(condition.parent, undefined);
      return;
    case 'absent':
      expressions(condition.value);
      return;
    case 'among-select':
      expressions(condition.value);
      walkSelect(condition.select, visitor);
      return;
    case 'empty':
      visitor.path?.(condition.path, condition.variable);
      return;
    case 'member':
      expressions(condition.value);
      visitor.path?.(condition.path, condition.variable);
      return;
    case 'exists':
      walkSelect(condition.select, visitor);
      return;
    default:
      condition satisfies never;
  }
}

/** What an attribute is compared with; policies and queries have no values of embedded objects. */
function testedValues(test: LeafTest): readonly (Value | InputList)[] {
  if (test.kind === 'in') return test.values;
  return 'value' in test ? [test.value] : [];
}

/** Visits everything that an expression refers to. */
export function walkExpression(expression: BoundExpression, visitor: BoundVisitor): void {
  const all = (...list: readonly (BoundExpression | undefined)[]): void => {
    for (const one of list) if (one !== undefined) walkExpression(one, visitor);
  };
  switch (expression.kind) {
    case 'attribute':
      if (expression.treated?.path !== undefined) visitor.path?.(expression.treated.path, expression.variable);
      visitor.path?.(expression.path, expression.variable);
      return;
    case 'variable':
      visitor.variable?.(expression.variable);
      return;
    case 'type-of':
      if (expression.path === undefined) visitor.variable?.(expression.variable);
      else visitor.path?.(expression.path, expression.variable);
      return;
    case 'size':
      visitor.path?.(expression.path, expression.variable);
      return;
    case 'arithmetic':
      all(expression.left, expression.right);
      return;
    case 'negative':
      all(expression.operand);
      return;
    case 'call':
      all(...expression.args);
      return;
    case 'trim':
      all(expression.characters, expression.text);
      return;
    case 'aggregate':
      visitor.aggregate?.();
      all(expression.argument);
      return;
    case 'case':
      for (const { when, value } of expression.branches) {
        walkCondition(when, visitor);
        all(value);
      }
      all(expression.otherwise);
      return;
    case 'subquery':
      visitor.scalar?.(expression.select);
      walkSelect(expression.select, visitor);
      return;
    case 'moment':
    case 'bucket':
      all(expression.base);
      return;
    case 'percentile':
      visitor.aggregate?.();
      all(expression.argument);
      return;
    case 'session':
      visitor.session?.(expression.name);
      return;
    case 'constant':
    case 'null':
    case 'argument':
    case 'input':
    case 'entity-name':
    case 'now':
      return;
    default:
      expression satisfies never;
  }
}

/** Visits everything that a query refers to; its aggregates are its own. */
export function walkSelect(select: BoundSelect, { aggregate: _, ...visitor }: BoundVisitor): void {
  const source = (of: RangeSource): void => {
    if (of.kind === 'path') visitor.path?.(of.path, of.from);
    if (of.kind === 'same') visitor.variable?.(of.as);
  };
  for (const range of select.ranges) {
    visitor.range?.(range.variable);
    source(range.source);
    for (const join of range.joins) {
      visitor.range?.(join.variable);
      source(join.source);
      if (join.on !== undefined) walkCondition(join.on, visitor);
    }
  }
  for (const { expression } of [...select.items, ...select.orderBy]) walkExpression(expression, visitor);
  for (const expression of select.groupBy) walkExpression(expression, visitor);
  for (const condition of [select.where, select.having]) if (condition !== undefined) walkCondition(condition, visitor);
}

/** All variables of the query's own `from`. */
export const variablesOf = (select: Pick<BoundSelect, 'ranges'>): readonly Variable[] =>
  select.ranges.flatMap(({ variable, joins }) => [variable, ...joins.map((join) => join.variable)]);

/** All entities whose instances a query reads or tests. */
export function entitiesOfSelect(select: BoundSelect): ReadonlySet<Entity> {
  const found = new Set<Entity>();
  walkSelect(select, {
    range: ({ entity }) => found.add(entity),
    variable: ({ entity }) => found.add(entity),
    path({ root, steps, leaf }) {
      for (const entity of [root, ...steps.map(({ target }) => target)]) found.add(entity);
      if (leaf.kind === 'reference') found.add(leaf.target);
    },
  });
  return found;
}
